#include "adjacency_list.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data_lines.h"
#include "edge_rows.h"
#include "fields.h"
#include "foreign_files.h"
#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "line_blocks.h"
#include "number_nodes.h"
#include "separators.h"

namespace gir {
namespace {

/// The ids of a line: a node, perhaps with a colon after it, and its neighbours, between blanks or commas and perhaps
/// in brackets, as Python prints lists and sets.
std::vector<std::string_view> ids_of_line(std::string_view line) {
  const bool has_brackets = line.find(": [") != std::string_view::npos || line.find(": {") != std::string_view::npos;
  const auto is_separator = [&](char c) {
    return c == ' ' || c == '\t' || c == ',' || (has_brackets && std::string_view("[]{}").find(c) < 4);
  };
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_separator(line[i])) ++i;
    const std::size_t begin = i;
    while (i < line.size() && !is_separator(line[i])) ++i;
    if (i > begin) ids.push_back(line.substr(begin, i - begin));
  }
  if (!ids.empty() && ids[0].size() > 1 && ids[0].ends_with(':')) ids[0].remove_suffix(1);
  if (ids.size() > 1 && ids[1] == ":") ids.erase(ids.begin() + 1);
  return ids;
}

/// The ids in the file.
struct Lists {
  std::vector<IdPair<std::string_view>> pairs;
  std::vector<std::string_view> nodes;  ///< the first of every line
  bool text_ids = false;
};

class ListParser {
 public:
  ListParser(const std::filesystem::path& path, bool text_ids) : path_(path) { lists_.text_ids = text_ids; }

  void parse(std::int64_t line_number, std::string_view line) {
    const auto ids = ids_of_line(line);
    if (ids.empty()) throw UserError(path_, line_number, "expected 'node: neighbours', got {}", quoted(line));
    if (lists_.nodes.empty()) {
      lists_.text_ids |= !std::all_of(ids.begin(), ids.end(), [](auto id) { return parse_integer(id).has_value(); });
    }
    for (const std::string_view id : ids) check(line_number, id);
    lists_.nodes.push_back(ids[0]);
    for (std::size_t i = 1; i < ids.size(); ++i) lists_.pairs.push_back({ids[0], ids[i]});
  }

  Lists lists() { return std::move(lists_); }

 private:
  void check(std::int64_t line_number, std::string_view id) const {
    const auto refuse = [&](std::string_view why) {
      throw UserError(path_, line_number, "node id {} {}", quoted(id), why);
    };
    if (const std::string_view problem = problem_of_id(id); !problem.empty()) refuse(problem);
    if (lists_.text_ids) return;
    const auto number = parse_integer(id);
    if (!number) refuse("is not a whole number [the ids before are; `text-ids` reads ids as text]");
    if (*number < 0) refuse("is negative [ids are whole numbers from 0, or text with `text-ids`]");
  }

  const std::filesystem::path& path_;
  Lists lists_;
};

NumberedArcs number(const Lists& lists) {
  if (lists.text_ids) {
    return number_nodes(Array<IdPair<std::string_view>>(std::span<const IdPair<std::string_view>>(lists.pairs)),
                        lists.nodes);
  }
  const auto integer = [](std::string_view id) { return *parse_integer(id); };
  Array<IdPair<std::int64_t>> pairs(std::ssize(lists.pairs));
  std::transform(lists.pairs.begin(), lists.pairs.end(), pairs.begin(), [&](const auto& pair) {
    return IdPair<std::int64_t>{integer(pair.source), integer(pair.target)};
  });
  std::vector<std::int64_t> nodes;
  for (const std::string_view id : lists.nodes) nodes.push_back(integer(id));
  return number_nodes(pairs, nodes);
}

AttributedGraph read_adjacency_list(const std::filesystem::path& path, const ReadOptions& options) {
  const TextFile file(path);
  check_is_text(path, file.text());
  if (options.num_nodes) {
    throw UserError(path, "is an adjacency list, which has a line for every node [omit `num-nodes`]");
  }
  refuse_multiline_adjacency_list(path, file.text());
  ListParser parser(path, options.text_ids);
  std::int64_t line_number = 1;
  for (std::string_view rest = file.text(); !rest.empty(); ++line_number) {
    const std::string_view line = trimmed(take_line(rest));
    if (!line.empty() && line[0] != '#') parser.parse(line_number, line);
  }
  NumberedArcs numbered = number(parser.lists());
  AttributedGraph result{.graph = build_graph({.arcs = std::move(numbered.arcs),
                                               .directed = options.directed.value_or(false),
                                               .names = std::move(numbered.names)})};
  result.notes.push_back(path.string() + ": read as an adjacency list: a node and its neighbours on every line");
  return result;
}

const Registered<GraphFormat> adjacency_list{{
    .name = "adjacency-list",
    .summary = "a node and its neighbours on every line, 'a: b c' or as networkx writes it",
    .endings = {".adjlist", ".adjlist.gz"},
    .read = read_adjacency_list,
}};

}  // namespace

bool is_adjacency_list(std::string_view text) {
  constexpr std::size_t kSampleLines = 20;
  const auto lines = first_lines(text, {.comments = "#"}, kSampleLines);
  const auto has_list = [](const DataLines::Line& line) {
    const std::string_view content = trimmed(line.text);
    const auto colon = content.find(':');
    if (colon == 0 || colon == std::string_view::npos || content.find(':', colon + 1) != std::string_view::npos) {
      return false;
    }
    const bool ends_field = colon + 1 == content.size() || content[colon + 1] == ' ' || content[colon + 1] == '\t';
    return ends_field && trimmed(content.substr(0, colon)).find_first_of(" \t,;\"") == std::string_view::npos;
  };
  return !lines.empty() && std::all_of(lines.begin(), lines.end(), has_list);
}

void refuse_multiline_adjacency_list(const std::filesystem::path& path, std::string_view text) {
  constexpr std::int64_t kLines = 1000;  // nodes without neighbours ('dora 0') may come first
  std::optional<std::int64_t> neighbours = 0;
  for (std::int64_t number = 1; !text.empty() && number <= kLines; ++number) {
    std::string_view line = trimmed(take_line(text));
    if (line.empty() || line[0] == '#') continue;
    take_field(line);
    const std::string_view second = trimmed(line);
    if (neighbours > 0) {
      if (!second.starts_with('{') || !second.ends_with('}')) return;
      throw UserError(path, number,
                      "is a neighbour of the node above, as in a list with several lines per node [write the graph "
                      "with networkx.write_edgelist or networkx.write_adjlist]");
    }
    neighbours = parse_integer(second);
    if (!neighbours || *neighbours < 0) return;
  }
}

}  // namespace gir
