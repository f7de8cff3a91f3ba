#include "gir/graph/structure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gir/core/array.h"
#include "gir/graph/centrality.h"

namespace gir {
namespace {

enum Column { kDegree, kCore, kPageRank, kClustering, kMeanNeighbor, kLargestNeighbor, kNumColumns };

double log_of(EdgeId count) { return std::log1p(static_cast<double>(count)); }

/// Shares of the neighbours' pairs that are neighbours of each other.
double clustering(std::int64_t triangles, EdgeId degree) {
  if (degree < 2) return 0;
  return 2.0 * static_cast<double>(triangles) / (static_cast<double>(degree) * static_cast<double>(degree - 1));
}

/// Mean 0 and standard deviation 1; columns that differ by rounding alone become 0.
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

}  // namespace gir
