#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "gir/anchors/node_sets.h"
#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Number of hops as tables hold it.
using Hops = std::int16_t;

inline constexpr Hops kNotReached = -1;                              ///< no path, or none within the limit
inline constexpr Hops kMostHops = std::numeric_limits<Hops>::max();  ///< longer ways count as no path

/// Hop counts from every source to every node, int16 [nodes, sources]: a node's distances lie together.
struct DistanceTable {
  std::int64_t nodes = 0;
  std::int64_t sources = 0;
  Array<Hops> hops;

  /// kNotReached where no path leads from the source to the node.
  Hops at(NodeId node, std::int64_t source) const { return hops[node * sources + source]; }
  std::span<const Hops> row(NodeId node) const {
    return hops.span().subspan(static_cast<std::size_t>(node * sources), static_cast<std::size_t>(sources));
  }
};

/// Fills a table, in which nothing is reached yet, with the distances from every set of sources, as a device does it.
/// False where it cannot, for want of memory: the CPU does it then. The tables are the same.
using DistanceSearch =
    std::function<bool(const Graph& graph, const NodeSets& sources, Hops most_hops, DistanceTable& table)>;

struct DistanceOptions {
  Hops most_hops = kMostHops;  ///< ways that are longer do not count
  DistanceSearch search = {};  ///< of a device (distance_search() in gir/nn/device.h); empty: the CPU searches
};

/// Distances from all `sources` (distinct) along the edges' direction: one breadth-first search for 256 sources
/// at a time, a bit each. O(edges * levels * sources / 256) word operations at most, in parallel; 2 bytes a
/// (node, source) for the result and 96 a node beside it. The same on any number of threads. UserError when the
/// table does not fit into memory.
DistanceTable source_distances(const Graph& graph, std::span<const NodeId> sources,
                               const DistanceOptions& options = {});

/// The same from the nearest member of every set, int16 [nodes, sets]; a set costs what a source costs, however
/// large it is. An empty set reaches nothing.
DistanceTable set_distances(const Graph& graph, const NodeSets& sets, const DistanceOptions& options = {});

}  // namespace gir
