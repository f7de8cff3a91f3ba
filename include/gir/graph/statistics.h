#pragma once

#include <cstdint>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"
#include "gir/graph/traversal.h"

namespace gir {

/// Quantiles of the degrees: `percent_25` is the smallest number such that 25 % of the nodes have at most that degree.
struct GIR_API DegreeQuantiles {
  EdgeId minimum = 0;
  EdgeId percent_25 = 0;
  EdgeId median = 0;
  EdgeId percent_75 = 0;
  EdgeId percent_90 = 0;
  EdgeId percent_99 = 0;
  EdgeId maximum = 0;
};

/// Basic statistics of a graph. A degree is the number of arcs of a node without self loops, in-degree plus out-degree
/// where the graph is directed.
struct GIR_API GraphStatistics {
  std::int64_t nodes = 0;
  EdgeId edges = 0;           ///< pairs of nodes joined in one or both directions, and self loops
  EdgeId directed_edges = 0;  ///< entries of the adjacency matrix: an undirected edge is two, a self loop one
  std::int64_t self_loops = 0;
  std::int64_t isolated_nodes = 0;  ///< nodes of degree 0
  std::int64_t components = 0;
  std::int64_t largest_component = 0;  ///< number of its nodes
  DegreeQuantiles degree;
  double mean_degree = 0;
  double density = 0;       ///< share of the pairs of distinct nodes that are joined by an edge
  DiameterBounds diameter;  ///< of the largest component, ignoring edge directions
};

/// All zero for a graph without nodes. Costs a bounded number of breadth-first searches and O(nodes + edges).
GIR_API GraphStatistics graph_statistics(const Graph& graph);

}  // namespace gir
