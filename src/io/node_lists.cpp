#include "gir/io/node_lists.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "columns.h"
#include "data_lines.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "whole_numbers.h"

namespace gir {
namespace {

/// How lists of ids are divided into lines: an id in quotes may hold tabs and line breaks.
RecordSyntax list_syntax(std::string_view text) {
  const char separator = text.find('\t') != std::string_view::npos ? '\t' : ',';
  return {.comments = "#", .separator = separator, .quotes = text.find('"') != std::string_view::npos};
}

/// The node that a cell of a file names. UserError with the place where there is none.
NodeId find_node(const NodeNames& names, std::string_view id, const std::filesystem::path& path, std::int64_t line,
                 bool is_first) {
  if (const auto node = find_node_of_cell(names, id)) return *node;
  throw UserError(path, line, "the graph has no node {} [use the graph's own ids{}]", quoted(id),
                  is_first ? "; remove the line if it names the columns" : "");
}

/// The two ids of a line, without quotes around them; nothing where the line does not have exactly two fields.
std::optional<std::pair<std::string, std::string>> two_ids(std::string_view line) {
  for (const char separator : {'\t', ',', ';', ' '}) {
    if (separator != ' ' && line.find(separator) == std::string_view::npos) continue;
    std::optional<std::string_view> rest = trimmed(line);
    std::string unquoted;
    std::vector<std::string> ids;
    while (const auto id = take_cell(rest, separator, unquoted)) ids.emplace_back(*id);
    if (ids.size() == 2) return std::pair(std::move(ids[0]), std::move(ids[1]));
    if (separator != ';') return std::nullopt;
  }
  return std::nullopt;
}

using IdPair = std::pair<std::string, std::string>;
using IdPairs = std::vector<IdPair>;

[[noreturn]] void refuse_pair(const std::filesystem::path& path, std::int64_t number, std::string_view line) {
  throw UserError(path, number, "expected two ids, got {} [one pair of node ids per line, and nothing else]",
                  quoted(line));
}

/// The pairs of all lines, perhaps with a header first, and their line numbers.
FileLines<IdPair> read_id_pairs(const std::filesystem::path& path) {
  const TextFile file(path);
  const DataLines lines(file.text(), list_syntax(file.text()));
  const auto count = static_cast<std::size_t>(lines.size());
  FileLines<IdPair> pairs{.items = IdPairs(count), .lines = std::vector<std::int64_t>(count)};
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    auto ids = two_ids(line);
    if (!ids) refuse_pair(path, number, line);
    pairs.items[static_cast<std::size_t>(row)] = *std::move(ids);
    pairs.lines[static_cast<std::size_t>(row)] = number;
  });
  return pairs;
}

bool has_number(const IdPair& pair) { return parse_float(pair.first) || parse_float(pair.second); }

/// Whether two words are names of columns for the ends of an edge; numbers may be nodes.
bool names_ends(const IdPair& words) {
  return !has_number(words) && find_end_columns({words.first, words.second}).has_value();
}

/// Whether the first line of a file is a header. Unknown numbers, and unknown words where nodes have such names, are
/// errors in the file.
bool is_header(const NodeNames& names, const IdPair& first, const PairHeader& header) {
  if (header.line != HeaderLine::kAuto) return header.line == HeaderLine::kYes;
  if (find_node_of_cell(names, first.first) || find_node_of_cell(names, first.second) || has_number(first))
    return false;
  return header.own_nodes || names.kind() != NodeNames::Kind::kStrings || names_ends(first);
}

bool is_words_over_numbers(const IdPairs& pairs) {
  return pairs.size() > 1 && !has_number(pairs.front()) &&
         std::all_of(pairs.begin() + 1, pairs.end(),
                     [](const IdPair& pair) { return parse_float(pair.first) && parse_float(pair.second); });
}

/// Finds headers among the first lines of files whose nodes are not known yet.
class HeaderFinder {
 public:
  explicit HeaderFinder(const std::vector<IdPairs>& files) : files_(files) {
    for (const IdPairs& file : files) {
      if (file.empty()) continue;
      ++first_lines_[file.front()];
      pairs_ += std::ssize(file) - 1;
      for (std::size_t i = 1; i < file.size(); ++i) count(file[i]);
    }
  }

  bool is_header(const IdPairs& file) const {
    if (file.empty() || has_number(file.front())) return false;
    if (is_words_over_numbers(file)) return true;
    const IdPair& first = file.front();
    if (occurs_below(first) || occurs_in_other_first_lines(first)) return false;
    return names_ends(first) || first_lines_.at(first) > 1 || is_unlike_the_others();
  }

 private:
  void count(const IdPair& pair) {
    ++occurrences_[pair.first];
    ++occurrences_[pair.second];
  }

  bool occurs_below(const IdPair& pair) const {
    return occurrences_.contains(pair.first) || occurrences_.contains(pair.second);
  }

  bool occurs_in_other_first_lines(const IdPair& words) const {
    return std::any_of(first_lines_.begin(), first_lines_.end(), [&](const auto& line) {
      const auto has = [&](const std::string& word) { return line.first.first == word || line.first.second == word; };
      return line.first != words && (has(words.first) || has(words.second));
    });
  }

  /// Whether nearly all pairs share a node with another one.
  bool is_unlike_the_others() const {
    std::int64_t alone = 0;
    for (const IdPairs& file : files_) {
      for (std::size_t i = 1; i < file.size(); ++i) {
        alone += occurrences_.at(file[i].first) == 1 && occurrences_.at(file[i].second) == 1 ? 1 : 0;
      }
    }
    return pairs_ > 0 && alone * 10 <= pairs_;
  }

  const std::vector<IdPairs>& files_;
  std::map<IdPair, std::int64_t> first_lines_;
  std::unordered_map<std::string_view, std::int64_t> occurrences_;
  std::int64_t pairs_ = 0;
};

/// The id that a line consists of, without quotes around it.
std::string only_id(std::string_view line) {
  std::optional<std::string_view> rest = trimmed(line);
  std::string unquoted;
  const auto cell = take_cell(rest, '\t', unquoted);
  return cell && !rest ? std::string(*cell) : std::string(trimmed(line));
}

}  // namespace

NodeId find_node(const NodeNames& names, std::string_view id) {
  const auto node = names.find(id);
  if (!node) throw UserError("the graph has no node {} [use the graph's own ids]", quoted(id));
  return *node;
}

std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names) {
  return read_node_lines(path, names).items;
}

FileLines<NodeId> read_node_lines(const std::filesystem::path& path, const NodeNames& names) {
  return parse_node_lines(TextFile(path).text(), path, names);
}

FileLines<NodeId> parse_node_lines(std::string_view text, const std::filesystem::path& path, const NodeNames& names) {
  const DataLines lines(text, list_syntax(text));
  if (lines.size() == 0) throw UserError(path, "names no nodes [write one node id per line]");
  std::vector<NodeId> nodes(static_cast<std::size_t>(lines.size()));
  std::vector<std::int64_t> line_numbers(nodes.size());
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    nodes[static_cast<std::size_t>(row)] = find_node(names, only_id(line), path, number, row == 0);
    line_numbers[static_cast<std::size_t>(row)] = number;
  });
  std::unordered_map<NodeId, std::int64_t> line_of;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto [known, is_new] = line_of.emplace(nodes[i], line_numbers[i]);
    if (is_new) continue;
    throw UserError(path, line_numbers[i], "{} is on line {} already [name it once]", quoted(names.name(nodes[i])),
                    known->second);
  }
  return {.items = std::move(nodes), .lines = std::move(line_numbers)};
}

std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path, const NodeNames& names) {
  return read_node_pair_lines(path, names).items;
}

FileLines<std::pair<NodeId, NodeId>> read_node_pair_lines(const std::filesystem::path& path, const NodeNames& names,
                                                          const PairHeader& header) {
  return parse_node_pair_lines(TextFile(path).text(), path, names, header);
}

FileLines<std::pair<NodeId, NodeId>> parse_node_pair_lines(std::string_view text, const std::filesystem::path& path,
                                                           const NodeNames& names, const PairHeader& header) {
  const DataLines lines(text, list_syntax(text));
  FileLines<std::pair<NodeId, NodeId>> result;
  std::int64_t first_row = 0;
  if (lines.size() > 0) {
    const auto line = lines.line(0);
    const auto first = two_ids(line.text);
    if (first && is_header(names, *first, header)) {
      first_row = 1;
      result.notes.push_back(fmt::format("{}:{}: {}, {} skipped as a header line", path.string(), line.number,
                                         quoted(first->first), quoted(first->second)));
    }
  }
  if (lines.size() == first_row) throw UserError(path, "has no pairs [write two node ids per line]");
  result.items.resize(static_cast<std::size_t>(lines.size() - first_row));
  result.lines.resize(result.items.size());
  lines.for_each([&](std::int64_t row, std::int64_t number, std::string_view line) {
    if (row < first_row) return;
    const auto ids = two_ids(line);
    if (!ids) refuse_pair(path, number, line);
    const auto item = static_cast<std::size_t>(row - first_row);
    result.items[item] = {find_node(names, ids->first, path, number, row == 0),
                          find_node(names, ids->second, path, number, row == 0)};
    result.lines[item] = number;
  });
  return result;
}

std::vector<PlacedId> read_pair_ids(const std::vector<std::filesystem::path>& paths, HeaderLine header) {
  std::vector<IdPairs> files;
  std::vector<std::vector<std::int64_t>> lines;
  for (const std::filesystem::path& path : paths) {
    FileLines<IdPair> pairs = read_id_pairs(path);
    files.push_back(std::move(pairs.items));
    lines.push_back(std::move(pairs.lines));
  }
  const HeaderFinder headers(files);
  std::vector<PlacedId> ids;
  std::unordered_set<std::string_view> seen;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const IdPairs& file = files[f];
    const bool has_header =
        header == HeaderLine::kAuto ? headers.is_header(file) : header == HeaderLine::kYes && !file.empty();
    for (std::size_t i = has_header ? 1 : 0; i < file.size(); ++i) {
      for (const std::string* id : {&file[i].first, &file[i].second}) {
        if (seen.insert(*id).second) ids.push_back({.id = *id, .path = paths[f], .line = lines[f][i]});
      }
    }
  }
  return ids;
}

}  // namespace gir
