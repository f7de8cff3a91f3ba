#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "node_table.h"

namespace gir {

/// The id of every row, as the graph has it, see id_of_cell().
std::vector<std::string> ids_of(const NodeTable& table, const NodeNames& names);

/// The node of every row, by its id. UserError for unknown and repeated nodes.
std::vector<NodeId> nodes_of(const NodeTable& table, const NodeNames& names);

/// UserError where the number of rows is not the number of nodes. `what` describes the rows: "rows of features",
/// "labels".
void check_row_count(const std::string& where, std::int64_t rows, std::string_view what, const NodeNames& names);

/// "f.csv: has no node ids: its rows are taken for the nodes 1, 2, 3, ... in this order".
std::string note_on_order(const std::filesystem::path& path, const NodeNames& names);

}  // namespace gir
