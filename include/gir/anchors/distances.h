#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "gir/anchors/node_sets.h"
#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Number of hops in distance tables.
using Hops = std::int16_t;

inline constexpr Hops kNotReached = -1;                             ///< no path, or none within the limit
inline constexpr Hops kMaxHops = std::numeric_limits<Hops>::max();  ///< longer paths count as no path

/// Hop distances from every source to every node, int16 [nodes, sources]: the distances of a node are contiguous.
struct GIR_API DistanceTable {
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
    std::function<bool(const Graph& graph, const NodeSets& sources, Hops max_hops, DistanceTable& table)>;

struct GIR_API DistanceOptions {
  Hops max_hops = kMaxHops;    ///< longer paths count as no path
  DistanceSearch search = {};  ///< of a device (distance_search() in gir/nn/device.h); empty: the CPU searches
};

/// Distances from all `sources` (distinct), following the edges' direction: one breadth-first search per 256 sources,
/// with one bit per source. At most O(edges * levels * sources / 256) word operations, in parallel; 2 bytes per (node,
/// source) for the result and 96 bytes per node in addition. The same result on any number of threads. UserError when
/// the table does not fit in memory.
GIR_API DistanceTable source_distances(const Graph& graph, std::span<const NodeId> sources,
                                       const DistanceOptions& options = {});

/// Distances from the nearest member of every set, int16 [nodes, sets]. A set costs as much as a single source,
/// whatever its size. An empty set reaches no node.
GIR_API DistanceTable set_distances(const Graph& graph, const NodeSets& sets, const DistanceOptions& options = {});

}  // namespace gir
