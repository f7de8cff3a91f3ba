#include "gir/graph/eigenvectors.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using testing::undirected;

Graph complete(std::int64_t nodes) {
  std::vector<Arc> arcs;
  for (NodeId u = 0; u < nodes; ++u) {
    for (NodeId v = u + 1; v < nodes; ++v) arcs.push_back({u, v});
  }
  return undirected(nodes, arcs);
}

/// Σ_i u_i λ_i v_i.
double entry(const Eigenpairs& pairs, NodeId u, NodeId v) {
  const auto count = std::ssize(pairs.values);
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    sum += pairs.vectors[u * count + i] * pairs.values[static_cast<std::size_t>(i)] * pairs.vectors[v * count + i];
  }
  return sum;
}

TEST(Eigenvectors, OfACompleteGraphAreKnown) {
  const Eigenpairs pairs = leading_eigenpairs(complete(6), GraphMatrix::kAdjacency, 6);
  EXPECT_THAT(pairs.values, ::testing::ElementsAre(::testing::DoubleNear(5, 1e-9), ::testing::DoubleNear(-1, 1e-9),
                                                   ::testing::DoubleNear(-1, 1e-9), ::testing::DoubleNear(-1, 1e-9),
                                                   ::testing::DoubleNear(-1, 1e-9), ::testing::DoubleNear(-1, 1e-9)));
  for (NodeId v = 0; v < 6; ++v) EXPECT_NEAR(std::abs(pairs.vectors[v * 6]), 1 / std::sqrt(6.0), 1e-9);
}

TEST(Eigenvectors, OfAStarAreThoseOfItsHub) {
  std::vector<Arc> arcs;
  for (NodeId leaf = 1; leaf <= 9; ++leaf) arcs.push_back({0, leaf});
  const Eigenpairs pairs = leading_eigenpairs(undirected(10, arcs), GraphMatrix::kAdjacency, 2);
  ASSERT_EQ(pairs.values.size(), 2u);
  EXPECT_NEAR(pairs.values[0] * pairs.values[1], -9, 1e-9);  // 3 and -3
  EXPECT_NEAR(std::abs(pairs.vectors[0]), std::sqrt(0.5), 1e-9);
}

TEST(Eigenvectors, OfFullRankMakeUpTheMatrixButForEigenvaluesNearZero) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    testing::EdgeLines lines = testing::random_lines(seed);
    lines.directed = false;
    lines.weights.clear();
    const Graph graph = testing::build(lines);
    const Eigenpairs adjacency = leading_eigenpairs(graph, GraphMatrix::kAdjacency, graph.num_nodes());
    const Eigenpairs normalised = leading_eigenpairs(graph, GraphMatrix::kNormalised, graph.num_nodes());
    const auto may_miss = [](const Eigenpairs& pairs) {
      return pairs.values.empty() ? 0 : 1e-6 + 0.01 * std::abs(pairs.values.front());
    };
    for (NodeId u = 0; u < graph.num_nodes(); ++u) {
      for (NodeId v = 0; v < graph.num_nodes(); ++v) {
        const double linked = u != v && graph.has_arc(u, v) ? 1 : 0;
        const double degrees = static_cast<double>(graph.out_degree(u)) * static_cast<double>(graph.out_degree(v));
        ASSERT_NEAR(entry(adjacency, u, v), linked, may_miss(adjacency)) << "seed " << seed;
        ASSERT_NEAR(entry(normalised, u, v), linked / std::sqrt(std::max(1.0, degrees)), may_miss(normalised))
            << "seed " << seed;
      }
    }
  }
}

TEST(Eigenvectors, AreOrderedByMagnitudeAndOrthonormal) {
  const Graph graph = generate_graph("barabasi-albert", {{"nodes", 500}}, 3).graph;
  const Eigenpairs pairs = leading_eigenpairs(graph, GraphMatrix::kNormalised, 12);
  EXPECT_NEAR(pairs.values.front(), 1, 1e-6) << "the graph is connected";
  for (std::size_t i = 1; i < 12; ++i) EXPECT_GE(std::abs(pairs.values[i - 1]), std::abs(pairs.values[i]));
  for (std::int64_t i = 0; i < 12; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double product = 0;
      for (NodeId v = 0; v < graph.num_nodes(); ++v) product += pairs.vectors[v * 12 + i] * pairs.vectors[v * 12 + j];
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-9);
    }
  }
}

TEST(Eigenvectors, HaveTheSameBitsOnAnyNumberOfThreads) {
  const Graph graph = generate_graph("watts-strogatz", {{"nodes", 5000}}).graph;
  const auto on = [&](int threads) {
    const ThreadScope scope(threads);
    return leading_eigenpairs(graph, GraphMatrix::kAdjacency, 8);
  };
  const Eigenpairs one = on(1);
  const Eigenpairs three = on(3);
  EXPECT_EQ(one.values, three.values);
  EXPECT_TRUE(std::equal(one.vectors.begin(), one.vectors.end(), three.vectors.begin(), three.vectors.end()));
}

TEST(Eigenvectors, OfAGraphWithoutEdgesAreWithoutWeight) {
  const Eigenpairs pairs = leading_eigenpairs(undirected(3, {}), GraphMatrix::kAdjacency, 8);
  ASSERT_EQ(pairs.values.size(), 3u);
  for (const double value : pairs.values) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace gir
