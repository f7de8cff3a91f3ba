#include "gir/graph/centrality.h"

#include <gmock/gmock.h>

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/structure.h"
#include "random_graphs.h"

namespace gir {
namespace {

TEST(CoreNumbers, AreThoseOfATriangleWithATail) {
  const Graph graph = testing::undirected(6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}});
  EXPECT_THAT(core_numbers(graph).span(), ::testing::ElementsAre(2, 2, 2, 1, 1, 0));
}

TEST(PageRanks, AddUpToOneAndAreEqualOnACycle) {
  const auto ranks = page_ranks(generate_graph("ring", {{"nodes", 7}}).graph);
  for (const double rank : ranks) EXPECT_NEAR(rank, 1.0 / 7, 1e-9);
  double total = 0;
  for (const double rank : page_ranks(testing::directed(4, {{0, 1}, {1, 2}}))) total += rank;
  EXPECT_NEAR(total, 1, 1e-9);
}

TEST(TriangleCounts, EqualTheirDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 400; seed += 2) {  // even ones are undirected
    const Graph graph = testing::build(testing::random_lines(seed));
    const auto found = triangle_counts(graph);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      std::int64_t expected = 0;
      for (const NodeId a : graph.out_neighbors(v)) {
        for (const NodeId b : graph.out_neighbors(v)) expected += a < b && graph.has_arc(a, b);
      }
      ASSERT_EQ(found[v], expected) << "seed " << seed << ", node " << v;
    }
  }
}

TEST(StructuralFeatures, HaveMeanZeroAndDeviationOneWhereNodesDiffer) {
  const DenseMatrix features = structural_features(generate_graph("karate").graph);
  ASSERT_EQ(features.columns, 6);
  for (std::int64_t column = 0; column < features.columns; ++column) {
    double sum = 0;
    double squares = 0;
    for (std::int64_t v = 0; v < features.rows; ++v) {
      const double value = features.values[v * features.columns + column];
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum, 0, 1e-4);
    EXPECT_NEAR(squares / static_cast<double>(features.rows), 1, 1e-4);
  }
}

/// Mean 0 and standard deviation 1.
std::vector<double> standardised(std::vector<double> values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / count;
  for (double& value : values) value = (value - mean) / std::sqrt(variance);
  return values;
}

TEST(StructuralFeatures, EqualTheirDefinitionsOnATriangleWithATail) {
  // 0 - 1 - 2 - 0, 2 - 3 - 4; also as a directed graph, whose directions are ignored.
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}};
  const auto log1p = [](double value) { return std::log1p(value); };
  const auto ranks = page_ranks(testing::undirected(5, arcs));
  std::vector<double> log_ranks;
  for (const double rank : ranks) log_ranks.push_back(std::log(rank));
  const std::vector<std::vector<double>> expected = {
      standardised({log1p(2), log1p(2), log1p(3), log1p(2), log1p(1)}),
      standardised({log1p(2), log1p(2), log1p(2), log1p(1), log1p(1)}),
      standardised(log_ranks),
      standardised({1, 1, 1 / 3.0, 0, 0}),
      standardised({log1p(2.5), log1p(2.5), log1p(2), log1p(2), log1p(2)}),
      standardised({log1p(3), log1p(3), log1p(2), log1p(3), log1p(2)})};
  for (const Graph& graph : {testing::undirected(5, arcs), testing::directed(5, arcs)}) {
    const DenseMatrix features = structural_features(graph);
    for (std::size_t column = 0; column < expected.size(); ++column) {
      for (std::size_t v = 0; v < 5; ++v) {
        EXPECT_NEAR(features.values[static_cast<std::int64_t>(6 * v + column)], expected[column][v], 1e-5)
            << "column " << column << ", node " << v;
      }
    }
  }
}

TEST(StructuralFeatures, AreZeroWhereAllNodesHaveTheSameValue) {
  const DenseMatrix features = structural_features(generate_graph("ring", {{"nodes", 9}}).graph);
  for (const float value : features.values) EXPECT_EQ(value, 0);
}

TEST(StructuralFeatures, AreFiniteForEveryGraphAndTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    for (const float value : structural_features(graph).values) ASSERT_TRUE(std::isfinite(value)) << "seed " << seed;
  }
  const Graph large = testing::build(testing::random_large_lines(20000, 60000, false, 3));
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    const DenseMatrix features = structural_features(large);
    return std::vector<float>(features.values.begin(), features.values.end());
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(SpreadFeatures, AreSimilarInsideAGroupAndNotAcrossGroups) {
  const AttributedGraph data = generate_graph("communities", {}, 3);
  const DenseMatrix features = spread_features(data.graph, {.columns = 64});
  const auto similarity = [&](NodeId a, NodeId b) {
    double dot = 0, first = 0, second = 0;
    for (std::int64_t j = 0; j < features.columns; ++j) {
      const double x = features.values[a * features.columns + j];
      const double y = features.values[b * features.columns + j];
      dot += x * y;
      first += x * x;
      second += y * y;
    }
    return dot / std::sqrt(first * second);
  };
  double inside = 0, across = 0;
  std::int64_t pairs_inside = 0, pairs_across = 0;
  for (NodeId a = 0; a < data.graph.num_nodes(); ++a) {
    for (NodeId b = 0; b < a; ++b) {
      const bool same = data.labels.classes[a] == data.labels.classes[b];
      (same ? inside : across) += similarity(a, b);
      ++(same ? pairs_inside : pairs_across);
    }
  }
  EXPECT_GT(inside / static_cast<double>(pairs_inside), 0.2 + across / static_cast<double>(pairs_across));
}

TEST(SpreadFeatures, AreTheSameOnAnyNumberOfThreadsAndZeroMeanByColumn) {
  const Graph graph = generate_graph("communities", {}, 4).graph;
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    return spread_features(graph, {.columns = 8, .hops = 2});
  };
  const DenseMatrix one = run(1);
  const DenseMatrix two = run(2);
  EXPECT_TRUE(std::equal(one.values.begin(), one.values.end(), two.values.begin(), two.values.end()));
  for (std::int64_t j = 0; j < 8; ++j) {
    double mean = 0;
    for (std::int64_t v = 0; v < graph.num_nodes(); ++v) mean += one.values[v * 8 + j];
    EXPECT_NEAR(mean / static_cast<double>(graph.num_nodes()), 0, 1e-5);
  }
}

TEST(JoinedColumns, AreSideBySide) {
  DenseMatrix left{.rows = 2, .columns = 1, .values = Array<float>(2)};
  DenseMatrix right{.rows = 2, .columns = 2, .values = Array<float>(4)};
  for (int i = 0; i < 2; ++i) left.values[i] = static_cast<float>(i);
  for (int i = 0; i < 4; ++i) right.values[i] = static_cast<float>(10 + i);
  const DenseMatrix both = joined_columns(left, right);
  const std::vector<float> expected = {0, 10, 11, 1, 12, 13};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), both.values.begin(), both.values.end()));
}

}  // namespace
}  // namespace gir
