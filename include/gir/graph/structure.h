#pragma once

#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"

namespace gir {

/// What a graph says about its nodes whatever they are called, one row a node: logarithms of degree, core number,
/// PageRank and the neighbours' mean and largest degree, and the clustering coefficient. Edges count as undirected.
/// Every column has mean 0 and standard deviation 1 over this graph's nodes, or is 0 where all are alike. O(edges^1.5);
/// the same on any number of threads.
DenseMatrix structural_features(const Graph& graph);

}  // namespace gir
