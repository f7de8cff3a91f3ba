#pragma once

#include <cstdint>
#include <string>

#include "columns.h"
#include "gir/graph/graph.h"

namespace gir {

/// What the other edges say about the first one, which may be a header: its ids occur on no other line (kHeader), they
/// do (kEdge), or they do not, as those of many other edges (kUnclear).
enum class FirstLine { kHeader, kEdge, kUnclear };
FirstLine classify_first_line(const EdgeInput& input);

/// Whether the cells are the numbers first, first + 1, ...
bool count_up(const Cells& cells, std::int64_t first);

/// Whether the first of these rows numbers the columns from 0, as pandas writes those without names, over at least one
/// column without whole numbers.
bool numbers_columns(const std::vector<Cells>& rows);

/// What a first line of two numbers is besides an edge.
struct NumbersLine {
  bool skip = false;
  std::string note = {};  ///< empty for an ordinary edge
};

/// `place` is that of the line, "g.csv:1: "; `is_table` says that its cells are separated by more than blanks and that
/// nothing stands before it. Counts of nodes and edges are skipped, and so are numbers of columns (0,1 and 1,2) where
/// these numbers occur on no other line; where they do, a note says that they are read as an edge.
NumbersLine classify_numbers(const std::string& place, const Cells& cells, bool is_table, const EdgeInput& input);

}  // namespace gir
