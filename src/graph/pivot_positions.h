#pragma once

#include <vector>

#include "gir/graph/graph.h"
#include "quad_tree.h"

namespace gir {

/// Positions whose distances are about those in the graph, by breadth-first searches from a few nodes that lie far
/// apart. Nodes outside of the largest component are strewn around it.
std::vector<Vector2> pivot_positions(const Graph& graph);

}  // namespace gir
