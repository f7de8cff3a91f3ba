#pragma once

#include <cstdint>
#include <vector>

#include "gir/core/array.h"
#include "gir/graph/graph.h"

namespace gir {

/// A symmetric matrix of an undirected graph.
enum class GraphMatrix {
  kAdjacency,   ///< A
  kNormalised,  ///< D^-1/2 A D^-1/2
};

struct Eigenpairs {
  std::vector<double> values;  ///< by descending magnitude
  Array<double> vectors;       ///< [nodes, values.size()], row-major, of length 1; 0 where the rank is exhausted
};

/// The `count` leading eigenpairs (at most as many as nodes), approximately: by block power iteration from the same
/// random start for every graph on the same nodes, for a fixed number of steps. Pairs of nearly equal eigenvalues are
/// not separated, but the sum of their products u_i λ v_i approximates the matrix nearly as well. Those of eigenvalues
/// below a hundredth of the largest may be 0. The same bits on any number of threads. O(count * edges + count² *
/// nodes).
Eigenpairs leading_eigenpairs(const Graph& graph, GraphMatrix matrix, std::int64_t count);

}  // namespace gir
