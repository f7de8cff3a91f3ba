#pragma once

#include <string>
#include <vector>

#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"

namespace gir {

/// What the columns of structural_features() are.
const std::vector<std::string>& structural_feature_names();

/// What a graph says about its nodes whatever they are called, one row a node: logarithms of degree, core number,
/// PageRank and the neighbours' mean and largest degree, and the clustering coefficient. Edges count as undirected.
/// Every column has mean 0 and standard deviation 1, or is 0 where all nodes are alike. O(edges^1.5); the same on any
/// number of threads.
DenseMatrix structural_features(const Graph& graph);

}  // namespace gir
