#include "gir/anchors/position_features.h"

#include <gmock/gmock.h>

#include <set>

#include "gir/anchors/anchors.h"
#include "gir/core/parallel.h"
#include "gir/graph/components.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;

std::vector<NodeId> members(const NodeSets& sets, std::int64_t set) { return {sets[set].begin(), sets[set].end()}; }

std::vector<NodeId> spread(const Graph& graph, std::int64_t count) {
  return select_anchors(graph, {.count = count, .strategy = "spread"}).anchors;
}

/// Many paths side by side: path i has `length` nodes.
Graph paths(std::int64_t count, std::int64_t length) {
  std::vector<Arc> arcs;
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j + 1 < length; ++j) {
      arcs.push_back({static_cast<NodeId>(i * length + j), static_cast<NodeId>(i * length + j + 1)});
    }
  }
  return testing::undirected(count * length, std::move(arcs));
}

TEST(PositionChannels, DealAnchorsOutInTurn) {
  const NodeSets sets = position_channels(std::vector<NodeId>{7, 0, 4, 3, 8}, 3);
  EXPECT_THAT(members(sets, 0), ElementsAre(3, 7));
  EXPECT_THAT(members(sets, 1), ElementsAre(0, 8));
  EXPECT_THAT(members(sets, 2), ElementsAre(4));
  EXPECT_THAT(members(position_channels(std::vector<NodeId>{5}, 2), 1), ElementsAre()) << "an empty channel";
}

TEST(PositionFeatures, DifferWhereverDistancesFromTheAnchorsDiffer) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const std::vector<NodeId> anchors = spread(graph, std::min<std::int64_t>(4, graph.num_nodes()));
    const NodeSets channels = position_channels(anchors, 4);
    const DenseMatrix features = position_features(graph, channels);
    ASSERT_EQ(features.columns, 8);
    const Graph both_ways = as_undirected(graph);
    const DistanceTable hops = set_distances(both_ways, channels);
    for (NodeId u = 0; u < graph.num_nodes(); ++u) {
      for (NodeId v = 0; v < u; ++v) {
        const auto row = [&](NodeId w) { return features.values.span().subspan(static_cast<std::size_t>(w * 8), 8); };
        const bool same_row = std::equal(row(u).begin(), row(u).end(), row(v).begin());
        const bool same_hops = std::equal(hops.row(u).begin(), hops.row(u).end(), hops.row(v).begin());
        EXPECT_EQ(same_row, same_hops) << seed << ": " << u << ", " << v;
      }
    }
  }
}

TEST(PositionFeatures, TellFarNodesApartOnALongPath) {
  const Graph path = paths(1, 20'000);
  const DenseMatrix features = position_features(path, position_channels(std::vector<NodeId>{0}, 1));
  std::set<float> values;
  for (std::int64_t v = 0; v < features.rows; ++v) values.insert(features.values[2 * v + 1]);
  EXPECT_EQ(std::ssize(values), features.rows);
}

TEST(Spread, PutsAnAnchorInEveryComponentAndDoesNotClump) {
  const Graph grid = generate_graph("grid", {{"rows", 40}, {"columns", 40}}).graph;
  const AnchorCoverage coverage = anchor_coverage(grid, spread(grid, 32));
  EXPECT_LE(coverage.eccentricity, 10) << "32 anchors on 1,600 nodes: no node is farther than a few cells of its own";
  const Graph many = paths(50, 5);
  const auto anchors = spread(many, automatic_anchor_count(many));
  const Components components = connected_components(many);
  std::vector<int> per_component(50, 0);
  for (const NodeId anchor : anchors) ++per_component[static_cast<std::size_t>(components.of_node[anchor])];
  EXPECT_THAT(per_component, ::testing::Each(::testing::Ge(2)));
}

TEST(Spread, LeavesMostAnchorsToTheLargeComponentBesideManySmallOnes) {
  std::vector<Arc> arcs;
  for (NodeId v = 0; v < 299; ++v) arcs.push_back({v, v + 1});
  for (NodeId i = 0; i < 200; ++i) arcs.push_back({300 + 2 * i, 301 + 2 * i});
  const Graph graph = testing::undirected(700, std::move(arcs));
  for (const NodeId anchor : spread(graph, 16)) EXPECT_LT(anchor, 300) << "pairs have no positions to tell apart";
}

TEST(Spread, PrefersHubsToTheEndsOfChains) {
  std::vector<Arc> arcs;
  for (NodeId leaf = 1; leaf <= 40; ++leaf) arcs.push_back({0, leaf});    // a hub
  for (NodeId leaf = 42; leaf <= 80; ++leaf) arcs.push_back({41, leaf});  // another
  arcs.push_back({0, 41});
  arcs.push_back({80, 81});  // a node three hops from the first hub
  const Graph graph = testing::undirected(82, std::move(arcs));
  const auto anchors = spread(graph, 2);
  EXPECT_THAT(anchors, ElementsAre(0, 41));
}

TEST(AutomaticAnchorCount, FollowsTheSizeAndTheNumberOfComponents) {
  EXPECT_EQ(automatic_anchor_count(paths(1, 5)), 5);
  EXPECT_EQ(automatic_anchor_count(paths(1, 1000)), 32);
  EXPECT_EQ(automatic_anchor_count(paths(1, 100'000)), 128);
  EXPECT_EQ(automatic_anchor_count(paths(500, 4)), 1000);
}

}  // namespace
}  // namespace gir
