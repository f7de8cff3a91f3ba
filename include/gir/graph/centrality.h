#pragma once

#include <cstdint>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Core number of every node: the largest k for which the node is in a subgraph whose nodes all have degree k or more
/// (in-degree plus out-degree where the graph is directed). O(nodes + edges).
Array<EdgeId> core_numbers(const Graph& graph);

/// PageRank of every node with damping 0.85; the sum is 1. Nodes without out-edges distribute their rank over all
/// nodes. In parallel; the same result on any number of threads.
Array<double> page_ranks(const Graph& graph);

/// Number of triangles that contain each node of an undirected graph. O(edges^1.5), in parallel.
Array<std::int64_t> triangle_counts(const Graph& graph);

}  // namespace gir
