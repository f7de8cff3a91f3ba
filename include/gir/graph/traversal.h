#pragma once

#include <cstdint>
#include <span>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/components.h"
#include "gir/graph/graph.h"

namespace gir {

/// The distance to a node that no path leads to.
inline constexpr std::int32_t kUnreachable = -1;

struct TraversalOptions {
  bool undirected = false;  ///< walk the edges of a directed graph both ways
};

/// Number of edges on a shortest path from `source` to every node, int32 [nodes], kUnreachable where there is
/// no path. Follows the edges' direction. O(nodes + edges), in parallel; 4 bytes a node beside the result.
Array<std::int32_t> hop_distances(const Graph& graph, NodeId source, const TraversalOptions& options = {});

/// The same from the nearest of several distinct sources.
Array<std::int32_t> hop_distances(const Graph& graph, std::span<const NodeId> sources,
                                  const TraversalOptions& options = {});

/// The largest distance from `source` to a node it reaches. Costs one hop_distances().
std::int32_t eccentricity(const Graph& graph, NodeId source, const TraversalOptions& options = {});

/// The longest of all shortest paths lies between the two.
struct DiameterBounds {
  std::int32_t lower = 0;
  std::int32_t upper = 0;

  bool exact() const { return lower == upper; }
};

/// Bounds on the diameter of the largest component, edges taken as undirected. A search from s with
/// eccentricity e tells that a node d hops away has an eccentricity of max(d, e - d) to e + d; searches from
/// nodes chosen by these bounds go on until the bounds meet or 16 were made (as many as take a fraction of a
/// second where that is more: small graphs are always exact). The same on any number of threads.
DiameterBounds diameter_bounds(const Graph& graph, const Components& components);
DiameterBounds diameter_bounds(const Graph& graph);

}  // namespace gir
