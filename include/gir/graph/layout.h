#pragma once

#include <vector>

#include "gir/graph/graph.h"

namespace gir {

/// Where nodes are drawn, in no unit: only distances count.
struct NodePositions {
  std::vector<float> x;  ///< one a node
  std::vector<float> y;
};

struct LayoutOptions {
  int steps = 0;  ///< of forces; 0: as many as take seconds, 300 for small graphs and 60 for large ones
};

/// Draws a graph in the plane: neighbours near each other, everything else apart. Begins with what distances to a few
/// pivots say (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2006)
/// and goes on by forces that are stronger for nodes with many edges (Jacomy et al., "ForceAtlas2", 2014), those of
/// far nodes taken together. Edges count without direction and weight. The same on any number of threads.
/// O(steps (edges + nodes log nodes)).
NodePositions lay_out(const Graph& graph, const LayoutOptions& options = {});

}  // namespace gir
