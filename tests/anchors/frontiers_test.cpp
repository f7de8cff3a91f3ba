#include "gir/anchors/frontiers.h"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <set>

#include "gir/core/parallel.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::build;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_lines;
using testing::undirected;

const std::vector<NodeId> kFirst = {0};

TEST(FrontierPlan, MovesOutOfTheAnchors) {
  const Graph path = undirected(4, {{0, 1}, {1, 2}, {2, 3}});
  const FrontierPlan plan(path, kFirst, 3);
  EXPECT_THAT(plan.frontier(0), ElementsAre(0));
  EXPECT_THAT(plan.frontier(1), ElementsAre(1));
  EXPECT_THAT(plan.frontier(2), ElementsAre(0, 2)) << "frontiers are not cumulative: messages return to the anchor";
  EXPECT_THAT(plan.edges(2).receivers, ElementsAre(1, 3));
  EXPECT_THAT(plan.edges(2).senders, ElementsAre(0, 2, 2));
  EXPECT_THAT(plan.edges(2).inverse_totals, ElementsAre(0.5, 1.0));
  EXPECT_THAT(plan.edges(2).sending_nodes, ElementsAre(0, 2));
  EXPECT_THAT(plan.edges(2).receiving_nodes, ElementsAre(1, 1, 3));
}

TEST(FrontierPlan, SharesLayersWithEqualFrontiers) {
  const Graph pair = undirected(2, {{0, 1}});
  const FrontierPlan plan(pair, kFirst, 6);  // 0, 1, 0, 1, ...
  EXPECT_EQ(plan.num_layers(), 6);
  EXPECT_EQ(plan.num_distinct(), 2);
  EXPECT_EQ(&plan.edges(0), &plan.edges(4));
  const Graph triangle = undirected(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_EQ(FrontierPlan(triangle, kFirst, 9).num_distinct(), 3);  // {0}, {1,2}, all
}

TEST(FrontierPlan, HasEveryEdgeWhenAllNodesAreAnchorsAndNoneWithoutAnchors) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = build(random_lines(seed));
    std::vector<NodeId> all(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(FrontierPlan(graph, all, 1).edges(0).senders.size(), graph.num_arcs());
    const FrontierPlan nothing(graph, {}, 2);
    EXPECT_THAT(nothing.edges(1).receivers, IsEmpty());
    EXPECT_THAT(nothing.frontier(1), IsEmpty());
  }
}

TEST(FrontierPlan, NeedsALayer) {
  testing::expect_user_error([] { FrontierPlan(undirected(2, {{0, 1}}), kFirst, 0); }, "`layers` is 0", "at least 1");
}

/// Receiver -> its senders and their weights.
using Messages = std::map<NodeId, std::map<NodeId, float>>;

Messages by_definition(const Graph& graph, const std::set<NodeId>& frontier, bool self_messages) {
  Messages messages;
  for (const NodeId u : frontier) {
    if (self_messages) messages[u][u] = 1;
    const auto row = graph.out_neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      messages[row[i]][u] = graph.weighted() ? graph.out().row_weights(u)[i] : 1;
    }
  }
  return messages;
}

Messages forward(const Graph& graph, const FrontierEdges& edges) {
  Messages messages;
  for (std::int64_t i = 0; i < edges.receivers.size(); ++i) {
    for (EdgeId e = edges.offsets[i]; e < edges.offsets[i + 1]; ++e) {
      messages[edges.receivers[i]][edges.senders[e]] = graph.weighted() ? edges.weights[e] : 1;
    }
  }
  return messages;
}

Messages backward(const Graph& graph, const FrontierEdges& edges) {
  Messages messages;
  for (std::int64_t i = 0; i < edges.sending_nodes.size(); ++i) {
    for (EdgeId e = edges.sending_offsets[i]; e < edges.sending_offsets[i + 1]; ++e) {
      messages[edges.receiving_nodes[e]][edges.sending_nodes[i]] = graph.weighted() ? edges.sending_weights[e] : 1;
    }
  }
  return messages;
}

/// A random graph without negative weights.
Graph random_graph(std::uint64_t seed) {
  testing::EdgeLines lines = random_lines(seed);
  for (float& weight : lines.weights) weight = std::abs(weight);
  return build(lines);
}

void expect_inverse_totals(const FrontierEdges& edges, const Messages& messages) {
  for (std::int64_t i = 0; i < edges.receivers.size(); ++i) {
    double total = 0;
    for (const auto& [sender, weight] : messages.at(edges.receivers[i])) total += weight;
    ASSERT_EQ(edges.inverse_totals[i], total > 0 ? 1 / total : 0);
  }
}

TEST(FrontierPlan, EqualsItsDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Graph graph = random_graph(seed);
    const bool self_messages = seed % 7 == 0;
    const ThreadScope threads(seed % 3 == 0 ? 4 : 1);
    std::vector<NodeId> nodes(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(nodes.begin(), nodes.end(), 0);
    Rng rng(seed, "test/anchors");
    rng.shuffle(nodes);
    nodes.resize(rng.below(nodes.size() + 1));
    const FrontierPlan plan(graph, nodes, 5, {.weighted = true, .self_messages = self_messages});
    std::set<NodeId> frontier(nodes.begin(), nodes.end());
    for (std::int64_t layer = 0; layer < 5; ++layer) {
      ASSERT_EQ(std::vector<NodeId>(frontier.begin(), frontier.end()),
                std::vector<NodeId>(plan.frontier(layer).begin(), plan.frontier(layer).end()));
      const Messages expected = by_definition(graph, frontier, self_messages);
      ASSERT_EQ(forward(graph, plan.edges(layer)), expected);
      ASSERT_EQ(backward(graph, plan.edges(layer)), expected);
      expect_inverse_totals(plan.edges(layer), expected);
      frontier.clear();
      for (const auto& [receiver, senders] : expected) frontier.insert(receiver);
    }
  }
}

TEST(FrontierPlan, WeightsMessagesOnRequestOnly) {
  const Graph graph = build({.nodes = 3, .directed = true, .arcs = {{0, 2}, {1, 2}}, .weights = {3, 1}});
  const std::vector<NodeId> anchors = {0, 1};
  const FrontierPlan plain(graph, anchors, 1);
  EXPECT_THAT(plain.edges(0).weights, IsEmpty());
  EXPECT_THAT(plain.edges(0).inverse_totals, ElementsAre(0.5));
  const FrontierPlan weighted(graph, anchors, 1, {.weighted = true});
  EXPECT_THAT(weighted.edges(0).weights, ElementsAre(3, 1));
  EXPECT_THAT(weighted.edges(0).inverse_totals, ElementsAre(0.25));
}

TEST(FrontierPlan, RefusesNegativeWeights) {
  const Graph graph = build({.nodes = 3, .directed = true, .arcs = {{0, 2}, {1, 2}}, .weights = {3, -1}});
  const std::vector<NodeId> anchors = {0, 1};
  testing::expect_user_error([&] { FrontierPlan(graph, anchors, 1, {.weighted = true}); }, "node \"2\"", "-1",
                             "`weighted`");
}

TEST(FrontierPlan, OfAllNodesHasEveryEdgeAndEverySelfMessage) {
  const Graph path = undirected(3, {{0, 1}, {1, 2}});
  const FrontierPlan plan = FrontierPlan::of_all_nodes(path, 4);
  EXPECT_EQ(plan.num_distinct(), 1);
  EXPECT_THAT(plan.edges(3).senders, ElementsAre(0, 1, 0, 1, 2, 1, 2));
  EXPECT_THAT(plan.edges(3).receiving_nodes, ElementsAre(0, 1, 0, 1, 2, 1, 2));
}

}  // namespace
}  // namespace gir
