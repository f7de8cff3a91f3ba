#pragma once

#include <filesystem>
#include <string_view>

#include "gir/graph/attributes.h"

namespace gir {

// Published data sets whose files hold Python pickles. Only for files whose checksum is known: the users' own pickles
// are refused everywhere else.

/// The graph `name` of the Planetoid collection from its eight files `directory`/ind.NAME.{x, y, tx, ty, allx, ally,
/// graph, test.index}: undirected, self loops dropped, test rows in the order of the graph. Test nodes that no file
/// describes have no features, class 0 and are not in the split. The split is the public one: the nodes of y for
/// training, the next 500 for validation, the nodes of test.index, ascending, for testing.
AttributedGraph read_planetoid(const std::filesystem::path& directory, std::string_view name);

/// A graph of the GraphData collection (adj_matrix, node_attr, node_label, metadata in a .npz): undirected,
/// self loops dropped; classes take their names from the metadata.
AttributedGraph read_graphdata_npz(const std::filesystem::path& path);

}  // namespace gir
