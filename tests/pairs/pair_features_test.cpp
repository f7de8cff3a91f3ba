#include "gir/pairs/pair_features.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "gir/anchors/distances.h"
#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

std::vector<float> describe(const char* name, const PairInputs& context, std::span<const NodePair> pairs,
                            std::int64_t view = 0) {
  const auto feature = Registry<PairFeatureEntry>::get(name).make(context);
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

Graph without_edge(const Graph& graph, NodePair pair) {
  return filter_edges(graph, [&](NodeId u, NodeId v) { return make_pair_of(u, v) != pair; });
}

/// The features of common-neighbors straight from their definitions, in a graph that lacks the pair's edge.
std::vector<double> by_definition(const Graph& graph, NodePair pair) {
  const auto [u, v] = pair;
  const auto degree = [&](NodeId node) { return static_cast<double>(graph.out_degree(node)); };
  double common = 0, adamic_adar = 0, resource = 0, longer = 0, weighted = 0;
  for (NodeId a = 0; a < graph.num_nodes(); ++a) {
    if (!graph.has_arc(u, a)) continue;
    if (graph.has_arc(a, v)) {
      common += 1;
      adamic_adar += 1 / std::log(degree(a));
      resource += 1 / degree(a);
    }
    for (NodeId b = 0; b < graph.num_nodes(); ++b) {
      if (a == v || b == u || !graph.has_arc(a, b) || !graph.has_arc(b, v)) continue;
      longer += 1;
      weighted += 1 / std::sqrt(degree(a) * degree(b));
    }
  }
  const double either = degree(u) + degree(v) - common;
  return {std::log1p(common),
          adamic_adar,
          resource,
          either > 0 ? common / either : 0,
          std::log1p(longer),
          std::log1p(weighted),
          std::log1p(degree(u)) + std::log1p(degree(v)),
          std::abs(std::log1p(degree(u)) - std::log1p(degree(v)))};
}

TEST(CommonNeighbors, EqualTheirDefinitionsInTheGraphWithoutThePairsOwnEdge) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const Graph undirected = as_undirected(graph);
    const auto pairs = all_pairs(graph.num_nodes());
    const auto rows = describe("common-neighbors", {.graphs = {.graph = graph}}, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto expected = by_definition(without_edge(undirected, pairs[i]), pairs[i]);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_NEAR(rows[i * expected.size() + k], expected[k], 1e-4 * (1 + expected[k]))
            << "seed " << seed << ", pair " << pairs[i].first << " " << pairs[i].second << ", column " << k;
      }
    }
  }
}

TEST(CommonNeighbors, AreTheSameForGraphsTooLargeForATable) {
  // The same edges among 500 nodes, and among 500 of 5000.
  const auto lines = testing::random_large_lines(500, 3000, false, 4);
  const Graph small = testing::build(lines);
  auto more = lines;
  more.nodes = 5000;
  const Graph large = testing::build(more);
  std::vector<NodePair> pairs = all_pairs(60);
  const auto by_table = describe("common-neighbors", {.graphs = {.graph = small}}, pairs);
  const auto by_search = describe("common-neighbors", {.graphs = {.graph = large}}, pairs);
  for (std::size_t i = 0; i < by_table.size(); ++i) ASSERT_NEAR(by_table[i], by_search[i], 1e-5) << i;
  const ThreadScope one(1);
  EXPECT_EQ(describe("common-neighbors", {.graphs = {.graph = large}}, pairs), by_search);
}

TEST(AnchorDistances, BoundTheDistanceOfThePair) {
  for (std::uint64_t seed = 0; seed < 100; seed += 2) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const std::int64_t nodes = graph.num_nodes();
    std::vector<NodeId> all_nodes(static_cast<std::size_t>(nodes));
    std::iota(all_nodes.begin(), all_nodes.end(), 0);
    const DistanceTable distances = source_distances(graph, all_nodes);
    const std::span<const NodeId> anchors = std::span(all_nodes).first((all_nodes.size() + 1) / 2);
    const auto pairs = all_pairs(nodes);
    const auto rows = describe("anchor-distances", {.graphs = {.graph = graph}, .anchors = anchors}, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const float* row = rows.data() + 5 * i;
      const Hops d = distances.at(pairs[i].first, pairs[i].second);
      EXPECT_EQ(row[3] > 0, row[1] > 0);
      if (row[1] == 0) continue;  // no anchor reaches both
      ASSERT_NE(d, kNotReached);
      EXPECT_EQ(row[4], 0) << "in one component, an anchor reaches both or none";
      EXPECT_LE(1 / row[0] - 1, d + 1e-3);
      EXPECT_GE(1 / row[1] - 1, d - 1e-3);
    }
  }
}

TEST(AnchorDistances, DependOnTheView) {
  const Graph whole = testing::undirected(4, {{0, 1}, {1, 2}, {2, 3}});
  std::vector<Graph> hidden;
  hidden.push_back(without_edge(whole, {2, 3}));
  const std::vector<NodeId> anchors = {0};
  const std::vector<NodePair> pair = {{2, 3}};
  const PairInputs context{.graphs = {.graph = whole, .training = hidden}, .anchors = anchors};
  EXPECT_THAT(describe("anchor-distances", context, pair, 0), ::testing::ElementsAre(0.5, 1 / 6.0f, 1, 1, 0));
  EXPECT_THAT(describe("anchor-distances", context, pair, 1), ::testing::ElementsAre(0, 0, 0, 0, 1));
}

TEST(PairDescription, ConcatenatesFeatures) {
  const Graph graph = testing::build(testing::random_large_lines(30, 100, false, 1));
  const std::vector<NodeId> anchors = {0, 1, 2};
  const auto pairs = all_pairs(30);
  const PairInputs context{.graphs = {.graph = graph}, .anchors = anchors};
  const PairDescription description("anchor-distances, common_neighbors", context);
  ASSERT_EQ(description.width(), 13);
  const auto rows = description.describe(pairs, 0);
  const auto distances = describe("anchor-distances", context, pairs);
  const auto neighbors = describe("common-neighbors", context, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t k = 0; k < 5; ++k) ASSERT_EQ(rows[13 * i + k], distances[5 * i + k]);
    for (std::size_t k = 0; k < 8; ++k) ASSERT_EQ(rows[13 * i + 5 + k], neighbors[8 * i + k]);
  }
}

/// The features of pair-distance from the distances in a graph that lacks the pair's edge.
std::vector<double> distance_by_definition(const Graph& graph, NodePair pair) {
  const auto from_first = hop_distances(graph, pair.first, {.undirected = true});
  const auto from_second = hop_distances(graph, pair.second, {.undirected = true});
  const auto log_size = [](const Array<std::int32_t>& hops) {
    return std::log(
        static_cast<double>(std::count_if(hops.begin(), hops.end(), [](std::int32_t d) { return d != kUnreachable; })));
  };
  const double hops = from_first[pair.second];
  const bool connected = hops >= 0;
  return {connected ? 1 / (1 + hops) : 0, connected ? std::log1p(hops) : 0, connected ? 1.0 : 0.0,
          std::min(log_size(from_first), log_size(from_second)), std::max(log_size(from_first), log_size(from_second))};
}

TEST(PairDistance, IsThatOfTheGraphWithoutThePairsEdge) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const auto pairs = all_pairs(graph.num_nodes());
    const auto rows = describe("pair-distance", {.graphs = {.graph = graph}}, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto expected = distance_by_definition(without_edge(graph, pairs[i]), pairs[i]);
      for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(rows[5 * i + k], expected[k], 1e-6) << seed << " " << k;
    }
  }
}

TEST(PairDistance, OfALargeGraphIsSearchedFromBothEnds) {
  const Graph grid = generate_graph("grid", {{"rows", 60}, {"columns", 60}}).graph;
  const std::vector<NodePair> pairs = {{0, 1}, {0, 61}, {0, 5}, {0, 60 * 20}};
  const auto rows = describe("pair-distance", {.graphs = {.graph = grid}}, pairs);
  const std::vector<double> hops = {3, 2, 5, 20};
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_NEAR(rows[5 * i], 1 / (1 + hops[i]), 1e-6) << i;
}

TEST(PairDistance, FindsThatThePairsEdgeIsABridge) {
  std::vector<Arc> arcs;
  for (NodeId v = 0; v + 1 < 5000; ++v) arcs.push_back({v, v + 1});
  const Graph path = testing::undirected(5000, std::move(arcs));
  const std::vector<NodePair> pairs = {{99, 100}, {0, 1}};
  const auto rows = describe("pair-distance", {.graphs = {.graph = path}}, pairs);
  EXPECT_EQ(rows[2], 0);
  EXPECT_NEAR(rows[3], std::log(100.0), 1e-6);
  EXPECT_NEAR(rows[4], std::log(4900.0), 1e-5);
  EXPECT_NEAR(rows[8], 0, 1e-6) << "without its edge, node 0 is alone";
}

TEST(CommonNeighbors, EstimatesTheLongerPathsBetweenHubsOfALargeGraph) {
  // 300 neighbours of node 0 are joined to 200 neighbours of node 1: 300 * 200 paths of three edges.
  std::vector<Arc> arcs;
  for (NodeId a = 2; a < 302; ++a) {
    arcs.push_back({0, a});
    for (NodeId b = 302; b < 502; ++b) arcs.push_back({a, b});
  }
  for (NodeId b = 302; b < 502; ++b) arcs.push_back({b, 1});
  for (NodeId leaf = 502; leaf < 802; ++leaf) arcs.push_back({1, leaf});
  const Graph graph = testing::undirected(4000, std::move(arcs));
  const auto row = describe("common-neighbors", {.graphs = {.graph = graph}}, std::vector<NodePair>{{0, 1}});
  EXPECT_NEAR(std::expm1(row[4]), 300 * 200, 0.02 * 300 * 200);
  EXPECT_EQ(row[0], 0) << "no common neighbours";
}

TEST(PairFeatures, DependOnThePairsOwnEdgeOnlyWhereTheirEntrySaysSo) {
  const Graph graph = testing::build(testing::random_large_lines(40, 120, false, 6));
  const std::vector<NodeId> anchors = {0, 5, 9};
  for (const PairFeatureEntry& entry : Registry<PairFeatureEntry>::all()) {
    bool differs = false;
    for (const Arc edge : undirected_edges(graph)) {
      const std::vector<NodePair> pair = {make_pair_of(edge.source, edge.target)};
      const Graph without = without_edge(graph, pair.front());
      const auto with_edge = describe(entry.name.c_str(), {.graphs = {.graph = graph}, .anchors = anchors}, pair);
      const auto hidden = describe(entry.name.c_str(), {.graphs = {.graph = without}, .anchors = anchors}, pair);
      for (std::size_t i = 0; i < hidden.size(); ++i) differs = differs || std::abs(with_edge[i] - hidden[i]) > 1e-5;
    }
    EXPECT_EQ(differs, entry.sees_own_edge) << entry.name;
  }
}

TEST(PairFeatures, AreFoundByNameAndNamedOnce) {
  const Graph graph = testing::undirected(3, {{0, 1}});
  EXPECT_EQ(PairDescription("", {.graphs = {.graph = graph}}).width(), 0);
  EXPECT_EQ(pair_features_of("Common_Neighbors, anchor-distances").size(), 2u);
  expect_user_error([] { pair_features_of("common"); }, "unknown pair feature \"common\"", "common-neighbors");
  expect_user_error([] { pair_features_of("common-neighbors,common_neighbors"); }, "named twice");
}

}  // namespace
}  // namespace gir
