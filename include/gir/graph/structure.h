#pragma once

#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"

namespace gir {

/// What a graph says about its nodes whatever they are called, one row a node: logarithms of degree, core number,
/// PageRank and the neighbours' mean and largest degree, and the clustering coefficient. Edges count as undirected.
/// Every column has mean 0 and standard deviation 1 over this graph's nodes, or is 0 where all are alike. O(edges^1.5);
/// the same on any number of threads.
DenseMatrix structural_features(const Graph& graph);

struct SpreadOptions {
  std::int64_t columns = 128;
  std::int64_t hops = 4;
  std::uint64_t seed = 0;
};

/// Where in the graph every node is, [nodes, columns]: a random sign a column for every node, spread over the
/// neighbours (taken without direction) hop by hop as a mean, each hop's rows brought to length 1, the sum over the
/// hops, and columns of mean 0 and standard deviation 1. Nodes of one region get similar rows. Rows of nodes without
/// neighbours count as zeros. O(hops * edges * columns), the same bits on any number of threads.
DenseMatrix spread_features(const Graph& graph, const SpreadOptions& options = {});

/// Both side by side.
DenseMatrix joined_columns(const DenseMatrix& left, const DenseMatrix& right);

}  // namespace gir
