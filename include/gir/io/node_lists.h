#pragma once

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The node with that id in the user's files. UserError where there is none.
GIR_API NodeId find_node(const NodeNames& names, std::string_view id);

/// Reads a file of node ids, one per line, in the file's order; # comments and blank lines are skipped. UserError with
/// file and line for unknown and repeated ids, and for a file without ids.
GIR_API std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names);

/// Reads a file of pairs of node ids, one pair per line, separated by a tab, comma or blanks, in the file's order;
/// comments as above. A first line of two words that are neither nodes nor numbers is a header. A pair may occur twice,
/// and a node may be paired with itself. UserError with file and line for anything else.
GIR_API std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path,
                                                               const NodeNames& names);

}  // namespace gir
