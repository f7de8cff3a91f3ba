#include "first_line.h"

#include <algorithm>

#include "gir/core/text.h"

namespace gir {
namespace {

bool shares_a_node(const Arc& a, const Arc& b) {
  return a.source == b.source || a.source == b.target || a.target == b.source || a.target == b.target;
}

/// Whether the first line counts nodes and edges, as some programs write it, and is no edge.
bool counts_nodes_and_edges(const EdgeInput& input) {
  const Arc first = input.arcs[0];
  if (input.names.integer(first.target) != input.arcs.size() - 1) return false;
  std::vector<bool> occurs(static_cast<std::size_t>(input.names.size()), false);
  std::for_each(input.arcs.begin() + 1, input.arcs.end(), [&](const Arc& arc) {
    occurs[static_cast<std::size_t>(arc.source)] = true;
    occurs[static_cast<std::size_t>(arc.target)] = true;
  });
  return std::count(occurs.begin(), occurs.end(), true) == input.names.integer(first.source);
}

/// Whether the first edge is listed again, so that reading it changes nothing but its weight.
bool is_listed_again(const EdgeInput& input) {
  const Arc first = input.arcs[0];
  return std::any_of(input.arcs.begin() + 1, input.arcs.end(), [&](const Arc& arc) {
    return (arc.source == first.source && arc.target == first.target) ||
           (!input.directed && arc.source == first.target && arc.target == first.source);
  });
}

}  // namespace

bool count_up(const Cells& cells, std::int64_t first) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != std::to_string(first + static_cast<std::int64_t>(i))) return false;
  }
  return true;
}

FirstLine classify_first_line(const EdgeInput& input) {
  const Arc first = input.arcs[0];
  const auto shares = [&](const Arc& arc) { return shares_a_node(arc, first); };
  if (first.source == first.target || std::any_of(input.arcs.begin() + 1, input.arcs.end(), shares)) {
    return FirstLine::kEdge;
  }
  std::vector<std::int64_t> occurrences(static_cast<std::size_t>(input.names.size()), 0);
  for (const Arc& arc : input.arcs) {
    ++occurrences[static_cast<std::size_t>(arc.source)];
    ++occurrences[static_cast<std::size_t>(arc.target)];
  }
  const auto alone = std::count_if(input.arcs.begin() + 1, input.arcs.end(), [&](const Arc& arc) {
    return arc.source != arc.target && occurrences[static_cast<std::size_t>(arc.source)] == 1 &&
           occurrences[static_cast<std::size_t>(arc.target)] == 1;
  });
  return alone * 10 > input.arcs.size() ? FirstLine::kUnclear : FirstLine::kHeader;
}

bool numbers_columns(const std::vector<Cells>& rows) {
  constexpr std::size_t kEnoughRows = 3;
  if (rows.size() < kEnoughRows || rows[0].size() < 2 || !count_up(rows[0], 0)) return false;
  for (std::size_t column = 0; column < rows[0].size(); ++column) {
    const auto is_other = [&](const Cells& row) {
      return column < row.size() && !row[column].empty() && !parse_integer(row[column]);
    };
    if (std::all_of(rows.begin() + 1, rows.end(), is_other)) return true;
  }
  return false;
}

NumbersLine classify_numbers(const std::string& place, const Cells& cells, bool is_table, const EdgeInput& input) {
  if (input.arcs.size() < 2 || input.names.kind() == NodeNames::Kind::kStrings) return {};
  if (counts_nodes_and_edges(input)) {
    return {.skip = true, .note = place + "read as the numbers of nodes and edges [`header` no reads it as an edge]"};
  }
  if (!is_table) return {};
  const bool may_number_columns = cells.size() > 1 && (count_up(cells, 0) || count_up(cells, 1));
  const FirstLine verdict = classify_first_line(input);
  const std::string numbers = list_columns(cells);
  if (verdict == FirstLine::kHeader && may_number_columns) {
    return {.skip = true,
            .note = place + "skipped as a header line, since " + numbers +
                    " occur on no other line [`header` no reads it as an edge]"};
  }
  if (verdict == FirstLine::kHeader || (verdict == FirstLine::kUnclear && may_number_columns)) {
    return {.note = place + numbers +
                    " are read as an edge, although they may be a header, since they occur on no other line [`header` "
                    "yes skips it]"};
  }
  const bool as_pandas_writes = may_number_columns && cells[0] == "0";
  if (verdict == FirstLine::kEdge && as_pandas_writes && (!input.weights.empty() || !is_listed_again(input))) {
    return {.note = place + numbers +
                    " are read as an edge, although they may number the columns, as pandas writes it [`header` yes "
                    "skips it, no confirms the edge]"};
  }
  return {};
}

}  // namespace gir
