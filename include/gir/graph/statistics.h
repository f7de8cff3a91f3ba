#pragma once

#include <cstdint>

#include "gir/core/types.h"
#include "gir/graph/graph.h"
#include "gir/graph/traversal.h"

namespace gir {

/// The degree that a share of the nodes does not exceed: 25 % of the nodes have at most `percent_25`
/// neighbours, and it is the smallest such number.
struct DegreeQuantiles {
  EdgeId minimum = 0;
  EdgeId percent_25 = 0;
  EdgeId median = 0;
  EdgeId percent_75 = 0;
  EdgeId percent_90 = 0;
  EdgeId percent_99 = 0;
  EdgeId maximum = 0;
};

/// What `gir data info` says about a graph. A degree is the number of a node's arcs without self loops, in
/// and out together where the graph is directed.
struct GraphStatistics {
  std::int64_t nodes = 0;
  EdgeId edges = 0;           ///< pairs of nodes joined one way or both, and self loops
  EdgeId directed_edges = 0;  ///< entries of the adjacency matrix: an undirected edge is two, a self loop one
  std::int64_t self_loops = 0;
  std::int64_t isolated_nodes = 0;  ///< nodes of degree 0
  std::int64_t components = 0;
  std::int64_t largest_component = 0;  ///< its nodes
  DegreeQuantiles degree;
  double mean_degree = 0;
  double density = 0;       ///< share of the node pairs that an edge joins, self loops left out
  DiameterBounds diameter;  ///< of the largest component, edges taken as undirected
};

/// All zero for a graph without nodes. A bounded number of breadth-first searches, O(nodes + edges) the rest.
GraphStatistics graph_statistics(const Graph& graph);

}  // namespace gir
