#pragma once

#include <vector>

#include "gir/core/export.h"
#include "gir/graph/graph.h"

namespace gir {

/// Positions of the nodes in a drawing. The scale is arbitrary: only relative distances have a meaning.
struct GIR_API NodePositions {
  std::vector<float> x;  ///< one per node
  std::vector<float> y;
};

struct GIR_API LayoutOptions {
  int steps = 0;  ///< force iterations; 0: 300 for small graphs to 60 for large ones, which takes some seconds
};

/// Positions of the nodes in the plane: neighbours are near each other, other nodes apart. Starts with pivot
/// multidimensional scaling (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of large
/// data", 2006) and refines it by a force-directed layout (Jacomy et al., "ForceAtlas2", 2014) with the Barnes-Hut
/// approximation. Edge directions and weights are ignored. The same result on any number of threads. O(steps (edges +
/// nodes log nodes)).
GIR_API NodePositions lay_out(const Graph& graph, const LayoutOptions& options = {});

}  // namespace gir
