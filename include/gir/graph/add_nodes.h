#pragma once

#include <string>
#include <vector>

#include "gir/graph/graph.h"

namespace gir {

/// The graph with further nodes, which have no edges. Nodes are numbered in ascending order of their ids; ids that the
/// graph has are skipped. UserError for an id that is no whole number where the others are.
Graph add_nodes(const Graph& graph, const std::vector<std::string>& ids);

}  // namespace gir
