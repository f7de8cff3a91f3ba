#pragma once

#include "gir/core/export.h"
#include "gir/graph/attributes.h"
#include "gir/graph/graph.h"

namespace gir {

/// Structural node features, which do not depend on the numbering of the nodes, one row per node: logarithms of degree,
/// core number, PageRank and the neighbours' mean and largest degree, and the clustering coefficient. Edge directions
/// are ignored. Every column is standardised to mean 0 and standard deviation 1 over the nodes of this graph, or is 0
/// where all its values are equal. O(edges^1.5); the same result on any number of threads.
GIR_API DenseMatrix structural_features(const Graph& graph);

struct GIR_API SpreadOptions {
  std::int64_t columns = 128;
  std::int64_t hops = 4;
  std::uint64_t seed = 0;
};

/// Positional node features by diffusion of random signs, [nodes, columns]: every node starts with a random row of +1
/// and -1; in each hop a node's row becomes the sum of its neighbours' rows (ignoring edge directions), scaled to
/// length 1; the rows of all hops are added up, and columns standardised to mean 0 and standard deviation 1. Nodes that
/// are near each other get similar rows. The sum is 0 for nodes without neighbours. O(hops * edges * columns), the same
/// bits on any number of threads.
GIR_API DenseMatrix spread_features(const Graph& graph, const SpreadOptions& options = {});

/// Two matrices with the same number of rows, concatenated along their columns.
GIR_API DenseMatrix joined_columns(const DenseMatrix& left, const DenseMatrix& right);

}  // namespace gir
