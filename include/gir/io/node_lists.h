#pragma once

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// The node of that original id. UserError where `names` has none.
NodeId find_node(const NodeNames& names, std::string_view id);

/// Nodes by their original ids, one a line, in the file's order; # comments and blank lines are passed over. UserError
/// with file and line for ids that `names` has not or that occur twice, and for a file without any.
std::vector<NodeId> read_node_list(const std::filesystem::path& path, const NodeNames& names);

/// Pairs of nodes by their original ids, two a line with a tab, comma or blanks between them, in the file's order;
/// comments as above, and a first line that names no nodes and has no numbers is a header. UserError with file and line
/// for anything else; a pair may occur twice, and a node may be paired with itself.
std::vector<std::pair<NodeId, NodeId>> read_node_pairs(const std::filesystem::path& path, const NodeNames& names);

}  // namespace gir
