#include "edge_table.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string_view>

#include "columns.h"
#include "edge_list_parser.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/io/tables.h"
#include "line_blocks.h"
#include "number_nodes.h"
#include "utf8.h"

namespace gir {
namespace {

using TextPair = IdPair<std::string_view>;

/// Keeps texts that are not a part of the file, such as ids with doubled quotes. Thread-safe.
class TextStore {
 public:
  std::string_view keep(std::string text) {
    const std::lock_guard lock(mutex_);
    return texts_.emplace_back(std::move(text));
  }

 private:
  std::mutex mutex_;
  std::deque<std::string> texts_;
};

/// Parses single rows.
class EdgeRowParser {
 public:
  EdgeRowParser(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options, TextStore& store)
      : table_(table), layout_(layout), options_(options), store_(store) {}

  void parse(std::int64_t line_number, std::string_view line, TextPair& pair, float* weight) const {
    const std::string_view dictionary = layout_.dictionaries ? cut_dictionary(line) : std::string_view();
    std::string unquoted;
    std::size_t cells = 0;
    bool has_weight = weight == nullptr;
    for (std::optional<std::string_view> rest = line; const auto cell = next_cell(rest, unquoted); ++cells) {
      if (cells == layout_.source) pair.source = id(line_number, *cell, unquoted, "left:");
      if (cells == layout_.target) pair.target = id(line_number, *cell, unquoted, "right:");
      if (cells == layout_.direction) check_direction(line_number, *cell);
      if (cells == layout_.weight && weight != nullptr) {
        *weight = parse_weight(table_.path(), line_number, with_point(*cell, unquoted));
        has_weight = true;
      }
    }
    if (cells != layout_.width) {
      throw UserError(table_.path(), line_number,
                      "has {} cells, the first row has {}: {} [all rows need the same number]", cells, layout_.width,
                      quoted(line));
    }
    if (!has_weight) *weight = weight_of(line_number, dictionary);
  }

  /// The weight in a dictionary {'weight': 0.5, ...} of Python.
  static std::optional<std::string_view> find_weight(std::string_view dictionary) {
    for (const std::string_view key : {"'weight':", "\"weight\":"}) {
      const auto begin = dictionary.find(key);
      if (begin == std::string_view::npos) continue;
      const std::string_view value = dictionary.substr(begin + key.size());
      return trimmed(value.substr(0, value.find_first_of(",}")));
    }
    return std::nullopt;
  }

  /// Removes the dictionary from the end of `line` and returns it.
  std::string_view cut_dictionary(std::string_view& line) const {
    const auto begin = line.find('{');
    if (begin == std::string_view::npos) return {};
    const std::string_view dictionary = line.substr(begin);
    line = trimmed(line.substr(0, begin));
    if (line.ends_with(table_.separator())) line.remove_suffix(1);
    return dictionary;
  }

 private:
  std::optional<std::string_view> next_cell(std::optional<std::string_view>& rest, std::string& unquoted) const {
    return take_cell(rest, table_.separator(), unquoted);
  }

  std::string_view id(std::int64_t line_number, std::string_view cell, const std::string& unquoted,
                      std::string_view side) const {
    check_id(line_number, cell);
    if (layout_.bipartite) return store_.keep(std::string(side) + std::string(cell));
    return cell.data() == unquoted.data() ? store_.keep(std::string(cell)) : cell;
  }

  void check_id(std::int64_t line_number, std::string_view id) const {
    constexpr std::size_t kMaxBytes = 4096;
    const auto refuse = [&](std::string_view why) {
      throw UserError(table_.path(), line_number, "node id {} {}", quoted(id), why);
    };
    if (id.empty()) refuse("is empty [remove the line]");
    if (id.front() == '"' && table_.separator() != '\t') {
      refuse("begins with a quote that nothing closes [close it before the separator, and double quotes inside of it]");
    }
    if (id.size() > kMaxBytes) refuse(fmt::format("is longer than {} bytes", kMaxBytes));
    if (std::any_of(id.begin(), id.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
      refuse("has control characters [is this a text file?]");
    }
  }

  void check_direction(std::int64_t line_number, std::string_view cell) const {
    if (options_.directed || canonical_name(cell) == (layout_.directed ? "directed" : "undirected")) return;
    throw UserError(table_.path(), line_number,
                    "is {} where the edges before are not [choose with `directed` or `undirected`]", quoted(cell));
  }

  std::string_view with_point(std::string_view cell, std::string& changed) const {
    if (!layout_.decimal_commas || cell.find(',') == std::string_view::npos) return cell;
    std::string text(cell);
    std::replace(text.begin(), text.end(), ',', '.');
    changed = std::move(text);
    return changed;
  }

  float weight_of(std::int64_t line_number, std::string_view dictionary) const {
    const auto value = find_weight(dictionary);
    if (!value) {
      throw UserError(table_.path(), line_number, "has no weight, the first edge has one [give all edges a weight]");
    }
    return parse_weight(table_.path(), line_number, *value);
  }

  const TextTable& table_;
  const EdgeTableLayout& layout_;
  const ReadOptions& options_;
  TextStore& store_;
};

/// Ids of nodes without edges, which gir writes into comments.
std::vector<std::string_view> isolated_nodes(std::string_view text) {
  std::vector<std::string_view> ids;
  for (auto at = text.find(kEdgeListNodeMark); at != std::string_view::npos;
       at = text.find(kEdgeListNodeMark, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    std::string_view rest = text.substr(at + kEdgeListNodeMark.size());
    ids.push_back(take_line(rest));
  }
  return ids;
}

/// The id as an integer. UserError where it is none, see ReadOptions::text_ids.
std::int64_t integer_id(const TextTable& table, std::int64_t line_number, std::string_view id,
                        const ReadOptions& options) {
  const auto number = parse_integer(id);
  if (!number && is_missing(id)) {
    throw UserError(table.path(), line_number, "node id {} stands for a missing value [remove the line]", quoted(id));
  }
  if (!number) {
    throw UserError(table.path(), line_number,
                    "node id {} is not a whole number [the ids before are; `text-ids` reads ids as text]", quoted(id));
  }
  if (*number < 0) {
    throw UserError(table.path(), line_number,
                    "node id {} is negative [ids are whole numbers from 0, or text with `text-ids`]", quoted(id));
  }
  if (options.num_nodes && *number >= *options.num_nodes) {
    throw UserError(table.path(), line_number, "node id {} is too large for {} nodes [ids are 0 .. {}]", quoted(id),
                    *options.num_nodes, *options.num_nodes - 1);
  }
  return *number;
}

/// The edges of all rows, with ids as they are in the file.
struct ParsedRows {
  Array<TextPair> pairs;
  Array<std::int64_t> line_numbers;
  Array<float> weights;
};

ParsedRows parse_rows(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options,
                      TextStore& store) {
  const EdgeRowParser parser(table, layout, options, store);
  ParsedRows parsed;
  parsed.pairs = Array<TextPair>(table.rows());
  parsed.line_numbers = Array<std::int64_t>(table.rows());
  bool weighted = layout.weight.has_value();
  if (layout.dictionaries && table.rows() > 0) {
    std::string_view line = table.row(0);
    weighted = EdgeRowParser::find_weight(parser.cut_dictionary(line)).has_value();
  }
  if (weighted) parsed.weights = Array<float>(table.rows());
  table.for_each_row([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
    parser.parse(line_number, line, parsed.pairs[row], weighted ? &parsed.weights[row] : nullptr);
    parsed.line_numbers[row] = line_number;
  });
  return parsed;
}

Array<IdPair<std::int64_t>> to_integers(const TextTable& table, const ParsedRows& parsed, const ReadOptions& options) {
  constexpr std::int64_t kRowsPerBlock = 1 << 14;
  Array<IdPair<std::int64_t>> pairs(parsed.pairs.size());
  parallel_for(pairs.size(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      pairs[i] = {integer_id(table, parsed.line_numbers[i], parsed.pairs[i].source, options),
                  integer_id(table, parsed.line_numbers[i], parsed.pairs[i].target, options)};
    }
  });
  return pairs;
}

EdgeInput parse_edges(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options) {
  TextStore store;
  ParsedRows parsed = parse_rows(table, layout, options, store);
  EdgeInput input{.arcs = {}, .weights = std::move(parsed.weights), .directed = layout.directed, .names = {}};
  const auto isolated = isolated_nodes(table.text());
  if (layout.text_ids || layout.bipartite) {
    NumberedArcs numbered = number_nodes(parsed.pairs, isolated);
    input.arcs = std::move(numbered.arcs);
    input.names = std::move(numbered.names);
    return input;
  }
  const auto pairs = to_integers(table, parsed, options);
  if (options.num_nodes) {
    input.arcs = Array<Arc>(pairs.size());
    std::transform(pairs.begin(), pairs.end(), input.arcs.begin(), [](const auto& pair) {
      return Arc{static_cast<NodeId>(pair.source), static_cast<NodeId>(pair.target)};
    });
    input.names = NodeNames::positions(*options.num_nodes);
    return input;
  }
  std::vector<std::int64_t> isolated_numbers;
  for (const std::string_view id : isolated) isolated_numbers.push_back(integer_id(table, 1, id, options));
  NumberedArcs numbered = number_nodes(pairs, isolated_numbers);
  input.arcs = std::move(numbered.arcs);
  input.names = std::move(numbered.names);
  return input;
}

/// What the other rows say about a first row that may be a header.
enum class FirstRow { kHeader, kEdge, kUnclear };

FirstRow judge_first_row(const EdgeInput& input) {
  std::vector<std::int64_t> occurrences(static_cast<std::size_t>(input.names.size()), 0);
  for (const Arc& arc : input.arcs) {
    ++occurrences[static_cast<std::size_t>(arc.source)];
    ++occurrences[static_cast<std::size_t>(arc.target)];
  }
  const auto stands_alone = [&](const Arc& arc) {
    return arc.source != arc.target && occurrences[static_cast<std::size_t>(arc.source)] == 1 &&
           occurrences[static_cast<std::size_t>(arc.target)] == 1;
  };
  if (!stands_alone(input.arcs[0])) return FirstRow::kEdge;
  const auto alone = std::count_if(input.arcs.begin() + 1, input.arcs.end(), stands_alone);
  return alone * 10 > input.arcs.size() ? FirstRow::kUnclear : FirstRow::kHeader;
}

/// Whether the first row of the table names its columns; what was decided goes to the notes.
bool is_header(const TextTable& table, const EdgeTableLayout& layout, const EdgeInput& input,
               std::vector<std::string>& notes) {
  const std::string where = fmt::format("{}:{}: ", table.path().string(), table.line_number(0));
  const std::string words = list_columns(table.first_row(), {layout.source, layout.target});
  const FirstRow verdict = judge_first_row(input);
  const bool names_ends = find_end_columns(table.first_row()).has_value();
  if (verdict == FirstRow::kHeader || (verdict == FirstRow::kUnclear && names_ends)) {
    notes.push_back(where + "skipped as a header line, since " + words +
                    " occur on no other line [`header` no reads it as an edge]");
    return true;
  }
  if (verdict == FirstRow::kUnclear) {
    notes.push_back(where + words + " are read as an edge, although they may be a header [`header` yes skips it]");
  } else if (names_ends) {
    notes.push_back(where + words + " are read as an edge, since they occur again below [`header` yes skips it]");
  }
  return false;
}

void tell_encoding(const TextTable& table, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (NodeId node = 0; node < names.size(); ++node) {
    const std::string name = names.name(node);
    if (decode_utf8(name)) continue;
    notes.push_back(
        fmt::format("{}: node ids are not UTF-8, such as {}, and kept byte by byte [if the file is Latin-1: "
                    "iconv -f latin1 -t utf8]",
                    table.path().string(), quoted(name)));
    return;
  }
}

/// A database writes NULL where an end is missing; as an id it would join all such edges.
void tell_missing_ids(const TextTable& table, const NodeNames& names, std::vector<std::string>& notes) {
  if (names.kind() != NodeNames::Kind::kStrings) return;
  for (const std::string_view word : {"NULL", "null", "NaN", "nan", "None", "NA", "N/A", "?", "\\N"}) {
    if (!names.find(word)) continue;
    notes.push_back(
        fmt::format("{}: {} is read as a node like any other [remove its edges if it means a missing value]",
                    table.path().string(), quoted(word)));
  }
}

}  // namespace

EdgeTable read_edge_table(const std::filesystem::path& path, std::unique_ptr<const TextFile> file,
                          const EdgeListComments& comments, const ReadOptions& options) {
  TextTable table(path, std::move(file), kEdgeListComments);
  EdgeTableLayout layout = detect_edge_table_layout(table, comments, options);
  if (options.num_nodes) {
    check_num_nodes(path, *options.num_nodes);
    if (layout.text_ids) throw UserError(path, "ids are text, but a number of nodes was given [omit `num-nodes`]");
  }
  EdgeTable result{.input = {}, .notes = std::move(layout.notes)};
  if (layout.header) {
    result.notes.push_back(fmt::format("{}:{}: skipped as a header line", path.string(), table.line_number(0)));
    table.skip_header();
  }
  result.input = parse_edges(table, layout, options);
  if (layout.may_be_header && is_header(table, layout, result.input, result.notes)) {
    table.skip_header();
    result.input = parse_edges(table, layout, options);
  }
  tell_encoding(table, result.input.names, result.notes);
  tell_missing_ids(table, result.input.names, result.notes);
  if (layout.bipartite) {
    result.notes.push_back(fmt::format(
        "{}: the graph is bipartite, with separate ids on its two sides: they are read as left:ID and right:ID",
        path.string()));
  }
  return result;
}

}  // namespace gir
