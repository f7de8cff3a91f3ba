#include "columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

/// Pairs of words for the two ends of an edge. Earlier ones are preferred where a table has several.
struct EndWords {
  std::string_view source;
  std::string_view target;
  bool certain = false;
};
constexpr auto kEndWords = std::to_array<EndWords>({
    {"source", "target", true},
    {"source", "destination", true},
    {"source", "dest", true},
    {"source", "sink", true},
    {"src", "dst", true},
    {"src", "dest", true},
    {"src", "tgt", true},
    {"src", "trg", true},
    {"from", "to", true},
    {"start", "end"},
    {"origin", "destination"},
    {"origin", "dest"},
    {"orig", "dest"},
    {"citing", "cited"},
    {"follower", "followee"},
    {"follower", "followed"},
    {"follower", "following"},
    {"sender", "receiver"},
    {"sender", "recipient"},
    {"caller", "callee"},
    {"subject", "object"},
    {"tail", "head"},
    {"parent", "child"},
    {"left", "right"},
    {"user", "friend"},
    {"user", "item"},
    {"quelle", "ziel"},
    {"von", "nach"},
    {"u", "v"},
    {"i", "j"},
    {"a", "b"},
    {"0", "1"},  // before 1 and 2: columns that pandas numbered from 0
    {"1", "2"},
    {"x", "y"},
});

/// What may be added to the name of an end without a separator: "sourceid", "fromnodeid".
constexpr auto kEndings = std::to_array<std::string_view>({"id", "node", "name", "key"});

/// Splits "fromnodeid" into from, node, id.
void add_word(std::string word, std::vector<std::string>& words) {
  for (const std::string_view ending : kEndings) {
    if (word.size() <= ending.size() + 1 || !word.ends_with(ending)) continue;
    add_word(word.substr(0, word.size() - ending.size()), words);
    words.emplace_back(ending);
    return;
  }
  words.push_back(std::move(word));
}

/// Whether the names are equal but for one word, which is that of the one end or the other.
bool are_ends(const std::vector<std::string>& source, const std::vector<std::string>& target, const EndWords& ends) {
  if (source.size() != target.size()) return false;
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == target[i]) continue;
    if (source[i] != ends.source || target[i] != ends.target) return false;
    ++differing;
  }
  return differing == 1;
}

std::string& chosen_column(ColumnChoice& choice, std::string_view word) {
  if (word == "source") return choice.source;
  if (word == "target") return choice.target;
  if (word == "weight") return choice.weight;
  if (word == "node") return choice.node;
  if (word == "label") return choice.label;
  throw UserError("`columns`: {} is not something to read [known: source, target, weight, node, label]", quoted(word));
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace

ColumnChoice parse_columns(std::string_view text) {
  ColumnChoice choice;
  for (const std::string& item : split_list(text)) {
    const auto equals = item.find('=');
    if (equals == std::string::npos || equals + 1 == item.size()) {
      throw UserError("`columns`: {} does not name a column [such as source=from,target=to,weight=w]", quoted(item));
    }
    chosen_column(choice, lower_case(item.substr(0, equals))) = item.substr(equals + 1);
  }
  return choice;
}

void refuse_label_columns(const std::filesystem::path& path) {
  throw UserError(path, "has no labels, but `columns` chooses node or label [give the file of labels with `labels`]");
}

std::size_t find_column(const std::string& where, std::string_view wanted, const Cells& header, std::size_t width) {
  const auto number = parse_integer(wanted);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(width)) {
    return static_cast<std::size_t>(*number - 1);
  }
  if (const auto found = std::find(header.begin(), header.end(), wanted); found != header.end()) {
    return static_cast<std::size_t>(found - header.begin());
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (lower_case(header[i]) == lower_case(wanted)) return i;
  }
  if (header.empty()) {
    throw UserError("{}has no column {} [it has no header line: columns are 1 .. {}]", where, quoted(wanted), width);
  }
  throw UserError("{}has no column {} [columns: {}]", where, quoted(wanted), list_columns(header));
}

std::vector<std::string> words_of(std::string_view name) {
  if (name.starts_with(':') && name.ends_with(')')) name = name.substr(0, name.find('('));  // Neo4j: ":END_ID(Movie)"
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) add_word(std::exchange(word, {}), words);
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const auto before = i > 0 ? static_cast<unsigned char>(name[i - 1]) : 0U;
    const bool camel = std::isupper(c) != 0 && std::islower(before) != 0;
    if (camel || (std::isdigit(c) != 0) != (std::isdigit(before) != 0)) end_word();
    if (std::isalnum(c) != 0 || c >= 0x80) {
      word += static_cast<char>(std::tolower(c));
    } else {
      end_word();
    }
  }
  end_word();
  return words;
}

bool has_word(std::string_view name, const std::vector<std::string_view>& known) {
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  });
}

std::optional<EndColumns> find_end_columns(const Cells& header) {
  constexpr std::size_t kMaxColumns = 100;
  constexpr std::size_t kLongWord = 4;
  std::vector<std::vector<std::string>> words;
  for (std::size_t i = 0; i < std::min(header.size(), kMaxColumns); ++i) words.push_back(words_of(header[i]));
  for (const EndWords& ends : kEndWords) {
    for (std::size_t s = 0; s < words.size(); ++s) {
      for (std::size_t t = 0; t < words.size(); ++t) {
        if (!are_ends(words[s], words[t], ends)) continue;
        const bool telling = ends.certain || words[s].size() > 1 || ends.source.size() >= kLongWord;
        return EndColumns{.source = s, .target = t, .certain = ends.certain, .telling = telling};
      }
    }
  }
  return std::nullopt;
}

bool names_weight(std::string_view name) {
  return has_word(name, {"weight", "weights", "w", "wt", "wgt", "edgeweight", "gewicht"});
}

bool names_labels_of_nodes(const Cells& header) {
  return header.size() == 2 && has_word(header[0], {"id", "node", "name", "vertex"}) &&
         has_word(header[1], {"label", "labels", "class", "classes", "category"}) && words_of(header[1]).size() == 1;
}

bool names_time(std::string_view name) {
  return has_word(name, {"time",   "times", "timestamp", "timestamps", "timeset", "date",  "dates",   "datetime",
                         "when",   "year",  "years",     "yr",         "quarter", "month", "week",    "day",
                         "hour",   "hours", "minute",    "ts",         "t",       "since", "created", "updated",
                         "unixts", "unix",  "unixtime",  "epoch",      "datum",   "zeit",  "jahr"});
}

bool is_unix_time(std::string_view cell) {
  constexpr std::int64_t kYear1980 = 315'532'800;
  constexpr std::int64_t kYear2100 = 4'102'444'800;
  const auto time = parse_integer(cell);
  return time && *time > kYear1980 && *time < kYear2100;
}

std::string list_columns(const Cells& header, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    const bool named = column < header.size() && !header[column].empty();
    const bool unique = named && std::count(header.begin(), header.end(), header[column]) == 1;
    names.push_back(unique  ? quoted(header[column])
                    : named ? fmt::format("{} (number {})", quoted(header[column]), column + 1)
                            : fmt::format("number {}", column + 1));
  }
  constexpr std::size_t kMaxListed = 12;
  if (names.size() > kMaxListed) {
    names.resize(kMaxListed);
    names.emplace_back("...");
  }
  return join(names, ", ");
}

std::string list_columns(const Cells& header) {
  std::vector<std::size_t> all(header.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return list_columns(header, all);
}

}  // namespace gir
