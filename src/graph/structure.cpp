#include "gir/graph/structure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/graph/centrality.h"

namespace gir {
namespace {

enum Column { kDegree, kCore, kPageRank, kClustering, kMeanNeighbor, kLargestNeighbor, kNumColumns };

double log_of(EdgeId count) { return std::log1p(static_cast<double>(count)); }

/// Local clustering coefficient: the share of pairs of neighbours that are neighbours of each other.
double clustering(std::int64_t triangles, EdgeId degree) {
  if (degree < 2) return 0;
  return 2.0 * static_cast<double>(triangles) / (static_cast<double>(degree) * static_cast<double>(degree - 1));
}

/// Writes `column` to column `place` of the matrix, standardised to mean 0 and standard deviation 1. A column whose
/// values differ by rounding errors only becomes 0.
void standardise(const Array<double>& column, DenseMatrix& matrix, std::int64_t place) {
  const auto count = static_cast<double>(column.size());
  double mean = 0;
  for (const double value : column) mean += value / count;
  double variance = 0;
  for (const double value : column) variance += (value - mean) * (value - mean) / count;
  const double scale = variance > 1e-12 * (1 + mean * mean) ? 1 / std::sqrt(variance) : 0;
  for (std::int64_t v = 0; v < column.size(); ++v) {
    matrix.values[v * matrix.columns + place] = static_cast<float>((column[v] - mean) * scale);
  }
}

constexpr std::int64_t kSpreadGrain = 1 << 14;  // values per block
constexpr std::int64_t kSpreadRows = 256;       // rows per block

/// row = sum of the neighbours' rows of `values`.
void add_neighbors(const Graph& graph, NodeId node, const float* values, std::int64_t width, float* row) {
  std::fill(row, row + width, 0.0f);
  for (const NodeId u : graph.out_neighbors(node)) {
    const float* from = values + u * width;
    for (std::int64_t j = 0; j < width; ++j) row[j] += from[j];
  }
}

void to_length_one(float* row, std::int64_t width) {
  double squares = 0;
  for (std::int64_t j = 0; j < width; ++j) squares += static_cast<double>(row[j]) * row[j];
  if (squares == 0) return;
  const auto scale = static_cast<float>(1 / std::sqrt(squares));
  for (std::int64_t j = 0; j < width; ++j) row[j] *= scale;
}

}  // namespace

DenseMatrix structural_features(const Graph& given) {
  std::optional<Graph> both_ways;
  if (given.directed()) both_ways = as_undirected(given);
  const Graph& graph = both_ways ? *both_ways : given;
  const std::int64_t nodes = graph.num_nodes();
  const Array<EdgeId> cores = core_numbers(graph);
  const Array<double> ranks = page_ranks(graph);
  const Array<std::int64_t> triangles = triangle_counts(graph);
  std::vector<Array<double>> columns;
  for (int column = 0; column < kNumColumns; ++column) columns.emplace_back(nodes);
  for (NodeId v = 0; v < nodes; ++v) {
    const EdgeId degree = graph.out_degree(v);
    EdgeId sum = 0;
    EdgeId largest = 0;
    for (const NodeId u : graph.out_neighbors(v)) {
      sum += graph.out_degree(u);
      largest = std::max(largest, graph.out_degree(u));
    }
    columns[kDegree][v] = log_of(degree);
    columns[kCore][v] = log_of(cores[v]);
    columns[kPageRank][v] = std::log(ranks[v] * static_cast<double>(nodes));
    columns[kClustering][v] = clustering(triangles[v], degree);
    columns[kMeanNeighbor][v] = degree == 0 ? 0 : std::log1p(static_cast<double>(sum) / static_cast<double>(degree));
    columns[kLargestNeighbor][v] = log_of(largest);
  }
  DenseMatrix matrix{.rows = nodes, .columns = kNumColumns, .values = Array<float>(nodes * kNumColumns)};
  for (int column = 0; column < kNumColumns; ++column) {
    standardise(columns[static_cast<std::size_t>(column)], matrix, column);
  }
  return matrix;
}

DenseMatrix spread_features(const Graph& given, const SpreadOptions& options) {
  ensure(options.columns > 0 && options.hops > 0, "columns and hops must be positive");
  std::optional<Graph> both_ways;
  if (given.directed()) both_ways = as_undirected(given);
  const Graph& graph = both_ways ? *both_ways : given;
  const std::int64_t nodes = graph.num_nodes();
  const std::int64_t width = options.columns;
  const RandomStream stream(options.seed, "spread");
  Array<float> now(nodes * width);
  parallel_for(nodes * width, kSpreadGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) now[i] = (stream.bits(static_cast<std::uint64_t>(i)) & 1) != 0 ? 1 : -1;
  });
  DenseMatrix sums{.rows = nodes, .columns = width, .values = Array<float>(nodes * width)};
  std::fill(sums.values.begin(), sums.values.end(), 0.0f);
  Array<float> next(nodes * width);
  for (std::int64_t hop = 0; hop < options.hops; ++hop) {
    parallel_for(nodes, kSpreadRows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        float* row = next.data() + v * width;
        add_neighbors(graph, static_cast<NodeId>(v), now.data(), width, row);
        to_length_one(row, width);
        for (std::int64_t j = 0; j < width; ++j) sums.values[v * width + j] += row[j];
      }
    });
    std::swap(now, next);
  }
  parallel_for(width, 1, [&](std::int64_t column, std::int64_t) {
    Array<double> values(nodes);
    for (std::int64_t v = 0; v < nodes; ++v) values[v] = static_cast<double>(sums.values[v * width + column]);
    standardise(values, sums, column);
  });
  return sums;
}

DenseMatrix joined_columns(const DenseMatrix& left, const DenseMatrix& right) {
  ensure(left.rows == right.rows, "the matrices must have the same number of rows");
  const std::int64_t width = left.columns + right.columns;
  DenseMatrix both{.rows = left.rows, .columns = width, .values = Array<float>(left.rows * width)};
  for (std::int64_t row = 0; row < left.rows; ++row) {
    float* to = both.values.data() + row * width;
    std::copy_n(left.values.data() + row * left.columns, left.columns, to);
    std::copy_n(right.values.data() + row * right.columns, right.columns, to + left.columns);
  }
  return both;
}

}  // namespace gir
