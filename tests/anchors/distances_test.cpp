#include "gir/anchors/distances.h"

#include <gmock/gmock.h>

#include <numeric>

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using ::testing::ElementsAre;

TEST(SourceDistances, CountHopsOnAPath) {
  const Graph path = generate_graph("path", {{"nodes", 5}}).graph;
  const std::vector<NodeId> sources = {4, 1};
  const DistanceTable table = source_distances(path, sources);
  EXPECT_THAT(table.row(0), ElementsAre(4, 1));
  EXPECT_THAT(table.row(4), ElementsAre(0, 3));
  EXPECT_EQ(table.at(2, 1), 1);
}

TEST(SourceDistances, FollowDirectionsAndMarkUnreachableNodes) {
  const Graph graph = build_graph({.arcs = {{0, 1}, {1, 2}}, .directed = true, .names = NodeNames::positions(4)});
  const std::vector<NodeId> sources = {1, 3};
  const DistanceTable table = source_distances(graph, sources);
  EXPECT_THAT(table.row(0), ElementsAre(kNotReached, kNotReached));
  EXPECT_THAT(table.row(2), ElementsAre(1, kNotReached));
  EXPECT_THAT(table.row(3), ElementsAre(kNotReached, 0));
}

TEST(SourceDistances, StopAtTheLimit) {
  const Graph path = generate_graph("path", {{"nodes", 6}}).graph;
  const std::vector<NodeId> sources = {0};
  const DistanceTable table = source_distances(path, sources, {.max_hops = 2});
  EXPECT_EQ(table.at(2, 0), 2);
  EXPECT_EQ(table.at(3, 0), kNotReached);
  EXPECT_EQ(source_distances(path, sources, {.max_hops = 0}).at(1, 0), kNotReached);
}

TEST(SourceDistances, TreatPathsLongerThanATableHoldsAsNone) {
  const Graph path = generate_graph("path", {{"nodes", 32770}}).graph;
  const std::vector<NodeId> sources = {0};
  const DistanceTable table = source_distances(path, sources);
  EXPECT_EQ(table.at(32767, 0), 32767);
  EXPECT_EQ(table.at(32768, 0), kNotReached);
}

/// With many sources, so that they take more than one word and more than one search.
void compare_with_single_searches(const Graph& graph, std::int64_t sources) {
  std::vector<NodeId> chosen(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(chosen.begin(), chosen.end(), 0);
  Rng(0, "test/sources").shuffle(chosen);
  chosen.resize(static_cast<std::size_t>(std::min(sources, graph.num_nodes())));
  const DistanceTable table = source_distances(graph, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto expected = hop_distances(graph, chosen[i]);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      ASSERT_EQ(table.at(v, static_cast<std::int64_t>(i)), expected[v] == kUnreachable ? kNotReached : expected[v]);
    }
  }
}

TEST(SourceDistances, EqualSingleSearchesOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    compare_with_single_searches(testing::build(testing::random_lines(seed)), 40);
  }
}

TEST(SourceDistances, EqualSingleSearchesWithManySources) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const ThreadScope threads(seed % 2 == 0 ? 1 : 4);
    compare_with_single_searches(testing::build(testing::random_large_lines(1500, 2500, seed % 4 < 2, seed)), 600);
  }
}

}  // namespace
}  // namespace gir
