#pragma once

#include <cstdint>
#include <span>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/components.h"
#include "gir/graph/graph.h"

namespace gir {

/// The distance to a node that cannot be reached.
inline constexpr std::int32_t kUnreachable = -1;

struct GIR_API TraversalOptions {
  bool undirected = false;  ///< ignore the directions of the edges
};

/// Number of edges on a shortest path from `source` to every node, int32 [nodes], kUnreachable where there is
/// no path. Follows the edges' direction. O(nodes + edges), in parallel; 4 bytes per node in addition to the result.
GIR_API Array<std::int32_t> hop_distances(const Graph& graph, NodeId source, const TraversalOptions& options = {});

/// Distances from the nearest of several distinct sources.
GIR_API Array<std::int32_t> hop_distances(const Graph& graph, std::span<const NodeId> sources,
                                          const TraversalOptions& options = {});

/// The largest distance from `source` to a node it reaches. Costs one hop_distances().
GIR_API std::int32_t eccentricity(const Graph& graph, NodeId source, const TraversalOptions& options = {});

/// Lower and upper bound of a diameter, the length of the longest shortest path.
struct GIR_API DiameterBounds {
  std::int32_t lower = 0;
  std::int32_t upper = 0;

  bool exact() const { return lower == upper; }
};

/// Bounds of the diameter of the largest component, ignoring edge directions (Takes and Kosters, "Determining the
/// diameter of small world networks", 2011): after a search from s with eccentricity e, the eccentricity of a node at
/// distance d is between max(d, e - d) and e + d. Searches start from nodes chosen by these bounds until the bounds
/// meet or 16 searches were made (more where they take a fraction of a second together: small graphs are always exact).
/// The same result on any number of threads.
GIR_API DiameterBounds diameter_bounds(const Graph& graph, const Components& components);
GIR_API DiameterBounds diameter_bounds(const Graph& graph);

}  // namespace gir
