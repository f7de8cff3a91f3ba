#include "gir/anchors/nearest_members.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

NodeSets sets_of(std::initializer_list<std::vector<NodeId>> sets) {
  NodeSets result;
  for (const auto& set : sets) result.add(set);
  return result;
}

NodeSets random_sets(std::int64_t nodes, std::uint64_t seed) {
  NodeSets sets = draw_anchor_sets(nodes, seed, 0);
  sets.add({});
  return sets;
}

TEST(AnchorSets, HaveTheSizesOfPGnn) {
  const NodeSets sets = draw_anchor_sets(20, 1, 0);
  ASSERT_EQ(sets.size(), 16);  // floor(log2 20) = 4 sizes, 4 sets of each
  const std::vector<std::size_t> sizes = {10, 5, 2, 1};
  for (std::int64_t i = 0; i < sets.size(); ++i) {
    EXPECT_EQ(sets[i].size(), sizes[static_cast<std::size_t>(i / 4)]);
    EXPECT_TRUE(std::is_sorted(sets[i].begin(), sets[i].end()));
    EXPECT_EQ(std::set<NodeId>(sets[i].begin(), sets[i].end()).size(), sets[i].size());
    for (const NodeId node : sets[i]) EXPECT_TRUE(node >= 0 && node < 20);
  }
}

TEST(AnchorSets, AreAFunctionOfSeedAndDraw) {
  EXPECT_EQ(draw_anchor_sets(50, 1, 2).members, draw_anchor_sets(50, 1, 2).members);
  EXPECT_NE(draw_anchor_sets(50, 1, 2).members, draw_anchor_sets(50, 1, 3).members);
  EXPECT_NE(draw_anchor_sets(50, 1, 2).members, draw_anchor_sets(50, 2, 2).members);
}

TEST(AnchorSets, ContainEveryNodeAboutEquallyOften) {
  std::vector<int> drawn(16, 0);
  for (std::uint64_t draw = 0; draw < 2000; ++draw) {
    for (const NodeId node : draw_anchor_sets(16, 0, draw).members) ++drawn[static_cast<std::size_t>(node)];
  }
  // Four sets each of 8, 4, 2 and 1 of 16 nodes: 3.75 expected per draw, standard deviation of the sum about 75.
  EXPECT_THAT(drawn, Each(::testing::AllOf(::testing::Gt(7500 - 400), ::testing::Lt(7500 + 400))));
}

TEST(AnchorSets, ExistForOneNodeAndNotForNone) {
  EXPECT_THAT(draw_anchor_sets(1, 0, 0).members, ElementsAre(0));
  EXPECT_EQ(draw_anchor_sets(0, 0, 0).size(), 0);
}

TEST(SetDistances, AreThoseOfTheNearestMember) {
  const Graph path = generate_graph("path", {{"nodes", 6}}).graph;
  const DistanceTable table = set_distances(path, sets_of({{0, 5}, {2}, {}}));
  EXPECT_THAT(table.row(1), ElementsAre(1, 1, kNotReached));
  EXPECT_THAT(table.row(4), ElementsAre(1, 2, kNotReached));
}

TEST(SetDistances, EqualOneSearchPerSetOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const NodeSets sets = random_sets(graph.num_nodes(), seed);
    const DistanceTable table = set_distances(graph, sets);
    for (std::int64_t i = 0; i < sets.size(); ++i) {
      const auto expected = hop_distances(graph, sets[i]);
      for (NodeId v = 0; v < graph.num_nodes(); ++v) ASSERT_EQ(table.at(v, i), expected[v]);
    }
  }
}

TEST(NearestMembers, PreferTheSmallestOfSeveralNearest) {
  const Graph star = generate_graph("star", {{"nodes", 5}}).graph;
  const NearestMembers nearest = NearestMemberSearch(star).find(sets_of({{4, 2, 3}}));
  EXPECT_EQ(nearest.member(0, 0), 2);
  EXPECT_EQ(nearest.member(1, 0), 2);
  EXPECT_EQ(nearest.distance(1, 0), 2);
  EXPECT_EQ(nearest.member(3, 0), 3);
  EXPECT_EQ(nearest.distance(3, 0), 0);
}

TEST(NearestMembers, FollowDirections) {
  const Graph graph = testing::directed(3, {{0, 1}, {1, 2}});
  const NearestMembers nearest = NearestMemberSearch(graph).find(sets_of({{1}}));
  EXPECT_EQ(nearest.member(2, 0), 1);
  EXPECT_EQ(nearest.member(0, 0), kNoMember);
  EXPECT_EQ(nearest.distance(0, 0), kNotReached);
}

TEST(NearestMembers, GiveTheCloseness) {
  EXPECT_EQ(closeness(0), 1.0f);
  EXPECT_EQ(closeness(3), 0.25f);
  EXPECT_EQ(closeness(kNotReached), 0.0f);
}

/// The definition: compares all members.
void compare_with_definition(const Graph& graph, const NodeSets& sets, Hops max_hops, const NearestMembers& found) {
  for (std::int64_t i = 0; i < sets.size(); ++i) {
    const DistanceTable table = source_distances(graph, sets[i], {.max_hops = max_hops});
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      NodeId member = kNoMember;
      Hops hops = kNotReached;
      for (std::size_t k = 0; k < sets[i].size(); ++k) {
        const Hops distance = table.at(v, static_cast<std::int64_t>(k));
        if (distance == kNotReached || (member != kNoMember && distance >= hops)) continue;
        member = sets[i][k];
        hops = distance;
      }
      ASSERT_EQ(found.member(v, i), member);
      ASSERT_EQ(found.distance(v, i), hops);
    }
  }
}

TEST(NearestMembers, EqualTheirDefinitionOnRandomGraphsByTableAndBySearch) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = testing::build(testing::random_lines(seed));
    const ThreadScope threads(seed % 3 == 0 ? 4 : 1);
    const Hops max_hops = seed % 5 == 0 ? 2 : kMaxHops;
    const NodeSets sets = random_sets(graph.num_nodes(), seed);
    const NearestMemberSearch table(graph, {.max_hops = max_hops});
    const NearestMemberSearch search(graph, {.max_hops = max_hops, .table_bytes = 0});
    EXPECT_TRUE(table.has_table());
    EXPECT_FALSE(search.has_table());
    compare_with_definition(graph, sets, max_hops, table.find(sets));
    compare_with_definition(graph, sets, max_hops, search.find(sets));
  }
}

TEST(NearestMembers, StoreNoTableForManyNodes) {
  const Graph path = generate_graph("path", {{"nodes", 100000}}).graph;
  EXPECT_FALSE(NearestMemberSearch(path).has_table());
}

}  // namespace
}  // namespace gir
