#include "pivot_positions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gir/core/random.h"
#include "gir/graph/components.h"
#include "gir/graph/traversal.h"

namespace gir {
namespace {

constexpr std::size_t kPivots = 24;

/// Nodes of the largest component.
std::vector<NodeId> largest_component(const Graph& graph) {
  const Components components = connected_components(graph);
  const std::int32_t largest = components.largest();
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    if (components.of_node[node] == largest) nodes.push_back(node);
  }
  return nodes;
}

/// Squared distances of `nodes` from the pivots, one column per pivot. The first pivot is the node of the highest
/// degree; every other one is a node farthest from the pivots before it.
std::vector<std::vector<double>> pivot_columns(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<std::vector<double>> columns;
  std::vector<std::int32_t> nearest(nodes.size(), std::numeric_limits<std::int32_t>::max());
  NodeId pivot = *std::max_element(nodes.begin(), nodes.end(),
                                   [&](NodeId a, NodeId b) { return total_degree(graph, a) < total_degree(graph, b); });
  while (columns.size() < std::min(kPivots, nodes.size())) {
    const Array<std::int32_t> distances = hop_distances(graph, pivot, {.undirected = true});
    std::vector<double> column(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int32_t distance = distances[nodes[i]];
      column[i] = static_cast<double>(distance) * distance;
      nearest[i] = std::min(nearest[i], distance);
    }
    columns.push_back(std::move(column));
    const auto farthest = std::max_element(nearest.begin(), nearest.end());
    if (*farthest == 0) break;  // every node is a pivot
    pivot = nodes[static_cast<std::size_t>(farthest - nearest.begin())];
  }
  return columns;
}

/// Double centring, as in classical multidimensional scaling: subtracts the mean of every row and every column.
void centre(std::vector<std::vector<double>>& columns) {
  const std::size_t rows = columns.front().size();
  std::vector<double> row_means(rows, 0);
  double mean = 0;
  std::vector<double> column_means;
  for (const auto& column : columns) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      row_means[i] += column[i] / static_cast<double>(columns.size());
      sum += column[i];
    }
    column_means.push_back(sum / static_cast<double>(rows));
    mean += column_means.back() / static_cast<double>(columns.size());
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i)
      columns[j][i] = -0.5 * (columns[j][i] - row_means[i] - column_means[j] + mean);
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The leading eigenvector of a symmetric matrix among those orthogonal to `other` (empty: any), by power iteration.
std::vector<double> principal_vector(const std::vector<std::vector<double>>& matrix, const std::vector<double>& other) {
  constexpr int kIterations = 200;
  Rng rng(0, "layout/pivots", other.empty() ? 0 : 1);
  std::vector<double> vector(matrix.size());
  for (double& value : vector) value = rng.uniform() - 0.5;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    std::vector<double> next(matrix.size());
    for (std::size_t i = 0; i < matrix.size(); ++i) next[i] = dot(matrix[i], vector);
    if (!other.empty()) {
      const double along = dot(next, other);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] -= along * other[i];
    }
    const double length = std::sqrt(dot(next, next));
    if (length == 0) return next;
    for (std::size_t i = 0; i < next.size(); ++i) vector[i] = next[i] / length;
  }
  return vector;
}

}  // namespace

std::vector<Vector2> pivot_positions(const Graph& graph) {
  const auto count = static_cast<std::size_t>(graph.num_nodes());
  std::vector<Vector2> positions(count);
  if (count == 0) return positions;
  const std::vector<NodeId> nodes = largest_component(graph);
  std::vector<std::vector<double>> columns = pivot_columns(graph, nodes);
  centre(columns);
  std::vector<std::vector<double>> products(columns.size(), std::vector<double>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) products[i][j] = dot(columns[i], columns[j]);
  }
  // Eigenvectors of C^T C, mapped by C, are the two axes of the drawing.
  const std::vector<double> first = principal_vector(products, {});
  const std::vector<double> second = principal_vector(products, first);
  double squares = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double x = 0, y = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      x += columns[j][i] * first[j];
      y += columns[j][i] * second[j];
    }
    positions[static_cast<std::size_t>(nodes[i])] = {static_cast<float>(x), static_cast<float>(y)};
    squares += x * x + y * y;
  }
  // Scale so that there is room for every node, and add a little noise: nodes with equal distances from all pivots must
  // not have the same position, because they would never separate.
  const double radius = std::sqrt(squares / static_cast<double>(nodes.size()));
  const double wanted = 4 * std::sqrt(static_cast<double>(count));
  const double scale = radius > 0 ? wanted / radius : 0;
  std::vector<char> placed(count, 0);
  for (const NodeId node : nodes) placed[static_cast<std::size_t>(node)] = 1;
  const RandomStream noise(0, "layout/noise");
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * noise.uniform(2 * i);
    const double distance =
        placed[i] != 0 ? 0.05 * wanted * noise.uniform(2 * i + 1) : wanted * (1.5 + noise.uniform(2 * i + 1));
    positions[i] =
        Vector2{static_cast<float>(scale * positions[i].x), static_cast<float>(scale * positions[i].y)} +
        Vector2{static_cast<float>(distance * std::cos(angle)), static_cast<float>(distance * std::sin(angle))};
  }
  return positions;
}

}  // namespace gir
