#pragma once

#include <cstdint>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// The largest k for which a node is in a subgraph whose nodes all have k edges, in and out together where the graph
/// is directed. O(nodes + edges).
Array<EdgeId> core_numbers(const Graph& graph);

/// PageRank with damping 0.85; they add up to 1. Nodes without out-edges pass their rank on to all. In parallel; the
/// same on any number of threads.
Array<double> page_ranks(const Graph& graph);

/// Triangles that every node of an undirected graph is in. O(edges^1.5), in parallel.
Array<std::int64_t> triangle_counts(const Graph& graph);

}  // namespace gir
