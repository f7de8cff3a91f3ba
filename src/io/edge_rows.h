#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edge_table.h"

namespace gir {

/// How the weights of a table are written, from all of its rows. UserError, with the line, where that is unclear.
NumberStyle find_weight_style(const TextTable& table, const EdgeTableLayout& layout, std::vector<std::string>& notes);

/// Finds out whether the dictionaries at the ends of the rows hold weights; what else they hold goes to the notes.
void find_attributes(const TextTable& table, EdgeTableLayout& layout, std::vector<std::string>& notes);

/// Parses the rows of a table after its header. UserError with path and line for the first row that does not parse.
EdgeInput parse_edges(const TextTable& table, const EdgeTableLayout& layout, const ReadOptions& options);

/// Why a text cannot be the id of a node in an edge list, and what to do; empty where it can.
std::string_view problem_of_id(std::string_view id);

}  // namespace gir
