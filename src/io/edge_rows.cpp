#include "edge_rows.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <set>

#include "columns.h"
#include "dictionaries.h"
#include "edge_list_parser.h"
#include "fields.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/text.h"
#include "gir/io/tables.h"
#include "line_blocks.h"
#include "number_nodes.h"
#include "whole_numbers.h"

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

/// The attributes that networkx writes at the end of a line.
std::vector<DictionaryEntry> attributes_of(std::string_view line) {
  const std::size_t begin = find_dictionary(line);
  return begin == std::string_view::npos ? std::vector<DictionaryEntry>() : entries_of(line.substr(begin));
}

/// Parses single rows.
class EdgeRowParser {
 public:
  EdgeRowParser(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options, TextStore& store)
      : table_(table), layout_(layout), options_(options), store_(store) {}

  void parse(std::int64_t line_number, std::string_view line, TextPair& pair, float* weight) const {
    const std::string_view whole = line;
    if (layout_.dictionaries) line = without_dictionary(line);
    std::string unquoted;
    std::size_t cells = 0;
    bool has_weight = weight == nullptr;
    for (std::optional<std::string_view> rest = line; const auto cell = next_cell(rest, unquoted); ++cells) {
      if (cells == layout_.source) pair.source = id(line_number, *cell, unquoted, "left:");
      if (cells == layout_.target) pair.target = id(line_number, *cell, unquoted, "right:");
      if (cells == layout_.direction) check_direction(line_number, *cell);
      if (cells == layout_.weight && weight != nullptr) {
        *weight = parse_weight(table_.path(), line_number, *cell, layout_.weight_style);
        has_weight = true;
      }
    }
    if (cells != layout_.width) {
      throw UserError(table_.path(), line_number,
                      "has {} cells, the first row has {}: {} [all rows need the same number]", cells, layout_.width,
                      quoted(line));
    }
    if (!has_weight) *weight = weight_of(line_number, whole);
  }

 private:
  std::optional<std::string_view> next_cell(std::optional<std::string_view>& rest, std::string& unquoted) const {
    return take_cell(rest, table_.separator(), unquoted);
  }

  std::string_view id(std::int64_t line_number, std::string_view cell, const std::string& unquoted,
                      std::string_view side) const {
    const bool had_quotes_inside = cell.data() == unquoted.data();
    const auto refuse = [&](std::string_view why) {
      throw UserError(table_.path(), line_number, "node id {} {}", quoted(cell), why);
    };
    if (cell.starts_with('"') && !had_quotes_inside && table_.separator() != '\t') {
      refuse("begins with a quote that nothing closes [close it before the separator, and double quotes inside of it]");
    }
    if (const std::string_view problem = problem_of_id(cell); !problem.empty()) refuse(problem);
    if (layout_.bipartite) return store_.keep(std::string(side) + std::string(cell));
    return had_quotes_inside ? store_.keep(std::string(cell)) : cell;
  }

  void check_direction(std::int64_t line_number, std::string_view cell) const {
    if (options_.directed || canonical_name(cell) == (layout_.directed ? "directed" : "undirected")) return;
    throw UserError(table_.path(), line_number,
                    "is {} where the edges before are not [choose with `directed` or `undirected`]", quoted(cell));
  }

  float weight_of(std::int64_t line_number, std::string_view line) const {
    for (const auto& [key, value] : attributes_of(line)) {
      if (key == layout_.weight_key) return parse_weight(table_.path(), line_number, bare_number(value));
    }
    throw UserError(table_.path(), line_number, "has no {}, other edges have one [give all edges a weight]",
                    layout_.weight_key == "weight" ? "weight" : quoted(std::string_view(layout_.weight_key)));
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
  const auto number = parse_whole_number(id);
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
  const bool weighted = layout.weight.has_value() || layout.weights_in_dictionaries;
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

}  // namespace

std::string_view problem_of_id(std::string_view id) {
  constexpr std::size_t kMaxBytes = 4096;
  if (id.empty()) return "is empty [remove the line]";
  if (id.size() > kMaxBytes) return "is longer than 4096 bytes [use shorter ids]";
  if (id.find('\n') != std::string_view::npos) return "has a line break [replace it, such as by a blank]";
  const bool has_controls =
      std::any_of(id.begin(), id.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return has_controls ? "has control characters [is this a text file?]" : "";
}

NumberStyle find_weight_style(const TextTable& table, const EdgeTableLayout& layout, std::vector<std::string>& notes) {
  const bool may_have_commas = table.text().find(table.separator() == ',' ? '"' : ',') != std::string_view::npos;
  if (!layout.weight || !may_have_commas) return {};
  NumberStyleVotes votes;
  table.for_each_row([&](std::int64_t, std::int64_t line_number, std::string_view line) {
    std::string unquoted;
    if (const auto cell = cell_at(line, table.separator(), *layout.weight, unquoted)) votes.see(*cell, line_number);
  });
  return votes.decide(table.path(), table.separator(), "weights", notes);
}

void find_attributes(const TextTable& table, EdgeTableLayout& layout, std::vector<std::string>& notes) {
  if (!layout.dictionaries) return;
  std::set<std::string, std::less<>> keys;
  std::mutex mutex;
  table.for_each_row([&](std::int64_t, std::int64_t, std::string_view line) {
    const auto attributes = attributes_of(line);
    const std::lock_guard lock(mutex);
    for (const DictionaryEntry& entry : attributes) {
      if (!keys.contains(entry.key)) keys.emplace(entry.key);
    }
  });
  const bool has_weights = keys.erase(layout.weight_key) > 0;
  const std::string others = list_columns(Cells(keys.begin(), keys.end()));
  if (!has_weights && layout.weight_key != "weight") {
    throw UserError(table.path(), "has no attribute {} [`columns` weight: {}]",
                    quoted(std::string_view(layout.weight_key)),
                    keys.empty() ? "the edges have no attributes" : others);
  }
  layout.weights_in_dictionaries = has_weights && !layout.weight;
  if (keys.empty()) return;
  const std::string used =
      has_weights ? fmt::format("weights are {}, ", quoted(std::string_view(layout.weight_key))) : "";
  notes.push_back(fmt::format("{}: {}attributes of edges that are not used: {} [`columns` weight=NAME chooses one]",
                              table.path().string(), used, others));
}

EdgeInput parse_edges(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options) {
  TextStore store;
  ParsedRows parsed = parse_rows(table, layout, options, store);
  EdgeInput input{.arcs = {},
                  .weights = std::move(parsed.weights),
                  .directed = options.directed.value_or(layout.directed),
                  .names = {}};
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

}  // namespace gir
