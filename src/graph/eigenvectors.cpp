#include "gir/graph/eigenvectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "symmetric_eigen.h"

namespace gir {
namespace {

constexpr std::int64_t kMoreColumns = 8;  ///< than are requested: the last ones converge slowly
constexpr int kRounds = 10;
constexpr int kStepsPerRound = 3;  ///< between two orthonormalisations
constexpr std::int64_t kRowsPerBlock = 1 << 10;
constexpr double kSmallestPivot = 1e-12;  ///< relative: columns below it depend on those before them

/// A block of vectors, [nodes, width], row-major.
struct Block {
  std::int64_t width;
  Array<double> values;

  Block(std::int64_t nodes, std::int64_t columns) : width(columns), values(nodes * columns) {}
  double* row(std::int64_t node) { return values.begin() + node * width; }
  const double* row(std::int64_t node) const { return values.begin() + node * width; }
};

/// out = M in.
void multiply(const Graph& graph, const Array<double>& scale, const Block& in, Block& out) {
  parallel_for(graph.num_nodes(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      double* sum = out.row(v);
      std::fill_n(sum, in.width, 0.0);
      for (const NodeId w : graph.out_neighbors(static_cast<NodeId>(v))) {
        const double* from = in.row(w);
        const double weight = scale[v] * scale[w];
        for (std::int64_t j = 0; j < in.width; ++j) sum[j] += weight * from[j];
      }
    }
  });
}

/// aᵀ b, which must be symmetric. Sums per block of rows are added in block order.
SquareMatrix products(const Block& a, const Block& b, std::int64_t nodes) {
  std::vector<SquareMatrix> parts(static_cast<std::size_t>(num_blocks(nodes, kRowsPerBlock)), SquareMatrix(a.width));
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    SquareMatrix& part = parts[static_cast<std::size_t>(begin / kRowsPerBlock)];
    for (std::int64_t v = begin; v < end; ++v) {
      const double* x = a.row(v);
      const double* y = b.row(v);
      for (std::int64_t i = 0; i < a.width; ++i) {
        double* sums = part.row(i);
        for (std::int64_t j = 0; j <= i; ++j) sums[j] += x[i] * y[j];
      }
    }
  });
  SquareMatrix total(a.width);
  for (const SquareMatrix& part : parts) total += part;
  for (std::int64_t i = 0; i < a.width; ++i) {
    for (std::int64_t j = 0; j < i; ++j) total(j, i) = total(i, j);
  }
  return total;
}

/// Every row of the block times the matrix.
void multiply_rows(Block& block, const SquareMatrix& matrix, std::int64_t nodes) {
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> sum(static_cast<std::size_t>(block.width));
    for (std::int64_t v = begin; v < end; ++v) {
      double* row = block.row(v);
      std::fill(sum.begin(), sum.end(), 0);
      for (std::int64_t i = 0; i < block.width; ++i) {
        const double* weights = matrix.row(i);
        for (std::int64_t j = 0; j < block.width; ++j) sum[static_cast<std::size_t>(j)] += row[i] * weights[j];
      }
      std::copy(sum.begin(), sum.end(), row);
    }
  });
}

/// By Cholesky factors of the columns' products. Columns that depend on those before them become 0.
void orthonormalise(Block& block, std::int64_t nodes) {
  multiply_rows(block, inverse_cholesky_transposed(products(block, block, nodes), kSmallestPivot), nodes);
}

Block random_start(std::int64_t nodes, std::int64_t width) {
  Block block(nodes, width);
  const RandomStream stream(0, "graph/eigenvectors");
  parallel_for(block.values.size(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) block.values[i] = stream.uniform(static_cast<std::uint64_t>(i)) - 0.5;
  });
  return block;
}

}  // namespace

Eigenpairs leading_eigenpairs(const Graph& graph, GraphMatrix matrix, std::int64_t count) {
  ensure(!graph.directed(), "an undirected graph");
  const std::int64_t nodes = graph.num_nodes();
  Array<double> scale(nodes, 1.0);
  if (matrix == GraphMatrix::kNormalised) {
    for (NodeId v = 0; v < nodes; ++v)
      scale[v] = 1 / std::sqrt(std::max(1.0, static_cast<double>(graph.out_degree(v))));
  }
  count = std::min(count, nodes);
  Block block = random_start(nodes, std::min(count + kMoreColumns, nodes));
  Block next(nodes, block.width);
  for (int round = 0; round < kRounds; ++round) {
    for (int step = 0; step < kStepsPerRound; ++step) {
      multiply(graph, scale, block, next);
      std::swap(block.values, next.values);
    }
    orthonormalise(block, nodes);
  }
  orthonormalise(block, nodes);  // what rounding has left
  multiply(graph, scale, block, next);
  const SymmetricEigen eigen = symmetric_eigen(products(block, next, nodes));
  multiply_rows(block, eigen.vectors, nodes);

  std::vector<std::int64_t> order(eigen.values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto magnitude = [&](std::int64_t i) { return std::abs(eigen.values[static_cast<std::size_t>(i)]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return magnitude(a) > magnitude(b); });
  Eigenpairs found{.values = {}, .vectors = Array<double>(nodes * count)};
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t column = order[static_cast<std::size_t>(i)];
    found.values.push_back(eigen.values[static_cast<std::size_t>(column)]);
    for (std::int64_t v = 0; v < nodes; ++v) found.vectors[v * count + i] = block.row(v)[column];
  }
  return found;
}

}  // namespace gir
