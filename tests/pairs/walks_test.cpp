#include <gmock/gmock.h>

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "gir/pairs/pair_features.h"
#include "graph/random_graphs.h"
#include "support.h"
#include "walk_columns.h"

namespace gir {
namespace {

using namespace walk_columns;
using Matrix = std::vector<std::vector<double>>;

std::vector<float> describe(const char* name, const PairInputs& inputs, std::span<const NodePair> pairs,
                            std::int64_t view = 0) {
  const auto feature = Registry<PairFeatureEntry>::get(name).make(inputs);
  std::vector<float> rows(pairs.size() * static_cast<std::size_t>(feature->width()));
  feature->describe(pairs, view, rows.data(), feature->width());
  return rows;
}

std::vector<NodePair> all_pairs(std::int64_t nodes) {
  std::vector<NodePair> pairs;
  for (NodeId u = 0; u < nodes; ++u) {
    for (NodeId v = u + 1; v < nodes; ++v) pairs.push_back({u, v});
  }
  return pairs;
}

/// The probabilities of walks of one step, from the definition.
Matrix one_step(const Graph& graph) {
  const auto nodes = static_cast<std::size_t>(graph.num_nodes());
  Matrix step(nodes, std::vector<double>(nodes, 0));
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    for (const NodeId v : graph.out_neighbors(u)) {
      step[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] = 1.0 / static_cast<double>(graph.out_degree(u));
    }
  }
  return step;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<double>(a.size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (std::size_t j = 0; j < a.size(); ++j) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

/// Per record the matrices of the walks of its steps, added up, and the personalised PageRank.
struct ByDefinition {
  std::vector<Matrix> records;
  Matrix page_rank;
};

ByDefinition walks_by_definition(const Graph& graph) {
  const Matrix step = one_step(graph);
  const Matrix zero(step.size(), std::vector<double>(step.size(), 0));
  ByDefinition all{std::vector<Matrix>(kRecords, zero), zero};
  Matrix now = step;
  double weight = 1 - kDamping;
  for (std::int64_t k = 1; k <= kSteps; ++k) {
    weight *= kDamping;
    for (std::size_t i = 0; i < step.size(); ++i) {
      for (std::size_t j = 0; j < step.size(); ++j) {
        all.page_rank[i][j] += weight * now[i][j];
        if (k >= kFirstStep) all.records[static_cast<std::size_t>(record_of(k))][i][j] += now[i][j];
      }
    }
    now = product(now, step);
  }
  return all;
}

TEST(Walks, HaveTheProbabilitiesOfTheirDefinition) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph given = testing::build(testing::random_lines(seed));
    const Graph graph = as_undirected(given);
    const auto pairs = all_pairs(graph.num_nodes());
    const auto rows = describe("walks", {.graphs = {.graph = given}}, pairs);
    const ByDefinition expected = walks_by_definition(graph);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto u = static_cast<std::size_t>(pairs[i].first);
      const auto v = static_cast<std::size_t>(pairs[i].second);
      const float* row = rows.data() + i * kWidth;
      for (std::size_t record = 0; record < kRecords; ++record) {
        const Matrix& walks = expected.records[record];
        const double low = std::min(walks[u][v], walks[v][u]);
        const double high = std::max(walks[u][v], walks[v][u]);
        ASSERT_NEAR(*row++, std::sqrt(low * high), 1e-5) << "seed " << seed << ", record " << record;
        ASSERT_NEAR(*row++, low, 1e-5);
        ASSERT_NEAR(*row++, high, 1e-5);
        ASSERT_NEAR(*row++, std::min(walks[u][u], walks[v][v]), 1e-5);
        ASSERT_NEAR(*row++, std::max(walks[u][u], walks[v][v]), 1e-5);
      }
      ASSERT_NEAR(row[0], std::sqrt(expected.page_rank[u][v] * expected.page_rank[v][u]), 1e-5);
    }
  }
}

TEST(Walks, CountTheNodesAround) {
  const Graph ring = generate_graph("ring", {{"nodes", 30}}).graph;
  const std::vector<NodePair> pairs = {{0, 7}};
  const auto rows = describe("walks", {.graphs = {.graph = ring}}, pairs);
  const float* balls = rows.data() + kWidth - 2 * std::ssize(kBalls);
  for (std::size_t i = 0; i < kBalls.size(); ++i) {
    EXPECT_EQ(balls[2 * i], 2 * kBalls[i] + 1);
    EXPECT_EQ(balls[2 * i + 1], 2 * kBalls[i] + 1);
  }
}

TEST(LocalWalks, EqualWalksOfUpToEightStepsWhereTheirBoundsAreNotReached) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const auto pairs = all_pairs(graph.num_nodes());
    const auto exact = describe("walks", {.graphs = {.graph = graph}}, pairs);
    const auto local = describe("local-walks", {.graphs = {.graph = graph}}, pairs);
    constexpr std::int64_t kCompared = (kLastStep - kFirstStep + 1) * kPerRecord;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::int64_t column = 0; column < kCompared; ++column) {
        const auto at = i * kWidth + static_cast<std::size_t>(column);
        ASSERT_NEAR(local[at], exact[at], 1e-5) << "seed " << seed << ", column " << column;
      }
    }
  }
}

TEST(LocalWalks, PassByHubsThatAreTooLarge) {
  // Two nodes are linked by a path of two edges and by a hub with 3,000 neighbours.
  std::vector<Arc> arcs = {{0, 2}, {2, 1}};
  for (NodeId leaf = 4; leaf < 3004; ++leaf) arcs.push_back({3, leaf});
  arcs.push_back({3, 0});
  arcs.push_back({3, 1});
  const Graph graph = testing::undirected(3004, arcs);
  const std::vector<NodePair> pairs = {{0, 1}};
  const auto exact = describe("walks", {.graphs = {.graph = graph}}, pairs);
  const auto local = describe("local-walks", {.graphs = {.graph = graph}}, pairs);
  EXPECT_NEAR(local[0], exact[0], 1e-3) << "two steps: nearly all through the small node";
  EXPECT_GT(local[0], 0.2);
}

TEST(LocalWalks, OfAHubGoThroughSomeOfItsNeighbours) {
  // Two hubs of 2,000 neighbours each share half of them.
  std::vector<Arc> arcs;
  for (NodeId leaf = 2; leaf < 2002; ++leaf) arcs.push_back({0, leaf});
  for (NodeId leaf = 1002; leaf < 3002; ++leaf) arcs.push_back({1, leaf});
  const Graph graph = testing::undirected(3002, arcs);
  const std::vector<NodePair> pairs = {{0, 1}, {2, 2500}};
  const auto exact = describe("walks", {.graphs = {.graph = graph}}, pairs);
  const auto local = describe("local-walks", {.graphs = {.graph = graph}}, pairs);
  EXPECT_NEAR(local[0], exact[0], 1e-5) << "two steps";
  const auto four = static_cast<std::size_t>(record_of(4)) * kPerRecord;
  EXPECT_GT(exact[kWidth + four], 0);
  EXPECT_GT(local[kWidth + four], 0) << "a neighbour of one hub and a neighbour of the other";
}

TEST(PairFeaturesOfWalks, DoNotDependOnTheOrderOfTheNodesNorOnThreads) {
  const Graph graph = generate_graph("barabasi-albert", {{"nodes", 400}}).graph;
  const auto pairs = all_pairs(60);
  std::vector<NodePair> reversed;
  for (const auto& [u, v] : pairs) reversed.push_back({v, u});
  for (const char* name : {"walks", "local-walks", "spectral"}) {
    const auto on = [&](int threads, std::span<const NodePair> asked) {
      const ThreadScope scope(threads);
      return describe(name, {.graphs = {.graph = graph}}, asked);
    };
    const auto rows = on(1, pairs);
    EXPECT_EQ(rows, on(3, pairs)) << name;
    const auto other = on(1, reversed);
    for (std::size_t i = 0; i < rows.size(); ++i)
      ASSERT_NEAR(rows[i], other[i], 1e-5 * (1 + std::abs(rows[i]))) << name;
  }
}

TEST(PairFeaturesOfWalks, AreThoseOfTheViewThatIsAskedFor) {
  const Graph ring = generate_graph("ring", {{"nodes", 12}}).graph;
  const std::vector<Graph> views = [&] {
    std::vector<Graph> graphs;
    graphs.push_back(filter_edges(ring, [](NodeId u, NodeId v) { return make_pair_of(u, v) != make_pair_of(0, 1); }));
    return graphs;
  }();
  const std::vector<NodePair> pairs = {{0, 1}, {4, 5}};
  for (const char* name : {"walks", "local-walks", "spectral"}) {
    const PairInputs inputs{.graphs = {.graph = ring, .training = views}};
    const auto whole = describe(name, inputs, pairs, 0);
    const auto hidden = describe(name, inputs, pairs, 1);
    EXPECT_EQ(hidden, describe(name, {.graphs = {.graph = views[0]}}, pairs)) << name;
    EXPECT_NE(hidden, whole) << name;
  }
}

TEST(Spectral, OfHighRankIsTheAdjacencyMatrixOfASmallGraph) {
  const Graph graph = generate_graph("ring", {{"nodes", 9}}).graph;
  const auto pairs = all_pairs(9);
  const auto rows = describe("spectral", {.graphs = {.graph = graph}}, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double linked = graph.has_arc(pairs[i].first, pairs[i].second) ? 1 : 0;
    EXPECT_NEAR(rows[i * 10 + 4], linked, 1e-5);
    EXPECT_NEAR(rows[i * 10 + 9], linked / 2, 1e-5);
  }
}

}  // namespace
}  // namespace gir
