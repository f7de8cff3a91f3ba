#pragma once

#include <vector>

#include "gir/graph/graph.h"
#include "quad_tree.h"

namespace gir {

/// Pivot multidimensional scaling: positions whose distances approximate hop distances, from breadth-first searches
/// starting at a few pivots that are far apart. Nodes outside the largest component are scattered around it.
std::vector<Vector2> pivot_positions(const Graph& graph);

}  // namespace gir
