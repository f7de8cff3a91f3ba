#include "gir/graph/traversal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <queue>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using testing::build;
using testing::directed;
using testing::EdgeLines;
using ::testing::ElementsAre;
using testing::random_large_lines;
using testing::random_lines;
using testing::undirected;

TEST(HopDistances, CountTheEdgesOfAPath) {
  EXPECT_THAT(hop_distances(undirected(4, {{0, 1}, {1, 2}, {2, 3}}), 1), ElementsAre(1, 0, 1, 2));
}

TEST(HopDistances, FollowTheDirectionOfEdges) {
  const Graph graph = directed(4, {{0, 1}, {1, 2}, {3, 2}});
  EXPECT_THAT(hop_distances(graph, 0), ElementsAre(0, 1, 2, kUnreachable));
  EXPECT_THAT(hop_distances(graph, 2), ElementsAre(kUnreachable, kUnreachable, 0, kUnreachable));
}

TEST(HopDistances, IgnoreDirectionsOnRequest) {
  const Graph graph = directed(4, {{0, 1}, {1, 2}, {3, 2}});
  EXPECT_THAT(hop_distances(graph, 3, {.undirected = true}), ElementsAre(3, 2, 1, 0));
}

TEST(HopDistances, StayInsideTheComponent) {
  EXPECT_THAT(hop_distances(undirected(4, {{0, 2}, {1, 1}}), 0), ElementsAre(0, kUnreachable, 1, kUnreachable));
}

TEST(HopDistances, RefuseANodeThatDoesNotExist) {
  EXPECT_THROW(hop_distances(undirected(2, {}), 2), InternalError);
  EXPECT_THROW(hop_distances(undirected(2, {}), -1), InternalError);
}

std::vector<std::int32_t> naive_distances(const EdgeLines& lines, NodeId source, bool both_ways) {
  std::vector<std::vector<NodeId>> neighbors(static_cast<std::size_t>(lines.nodes));
  for (const Arc arc : lines.arcs) {
    neighbors[static_cast<std::size_t>(arc.source)].push_back(arc.target);
    if (both_ways) neighbors[static_cast<std::size_t>(arc.target)].push_back(arc.source);
  }
  std::vector<std::int32_t> distances(static_cast<std::size_t>(lines.nodes), kUnreachable);
  std::queue<NodeId> queue({source});
  distances[static_cast<std::size_t>(source)] = 0;
  for (; !queue.empty(); queue.pop()) {
    const auto u = static_cast<std::size_t>(queue.front());
    for (const NodeId v : neighbors[u]) {
      auto& distance = distances[static_cast<std::size_t>(v)];
      if (distance != kUnreachable) continue;
      distance = distances[u] + 1;
      queue.push(v);
    }
  }
  return distances;
}

void expect_naive_distances(const EdgeLines& lines, NodeId source) {
  const Graph graph = build(lines);
  for (const bool both_ways : {false, true}) {
    const auto distances = hop_distances(graph, source, {.undirected = both_ways});
    const auto expected = naive_distances(lines, source, both_ways || !lines.directed);
    ASSERT_TRUE(std::equal(distances.begin(), distances.end(), expected.begin(), expected.end()));
    ASSERT_EQ(eccentricity(graph, source, {.undirected = both_ways}),
              *std::max_element(expected.begin(), expected.end()));
  }
}

TEST(HopDistances, AgreeWithAQueue) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    EdgeLines lines = random_lines(seed);
    expect_naive_distances(lines, static_cast<NodeId>(seed % static_cast<std::uint64_t>(lines.nodes)));
  }
}

TEST(HopDistances, AgreeWithAQueueOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    const ThreadScope use(threads);
    for (const bool is_directed : {false, true}) {
      // The densest graphs are searched backward where the frontier is large.
      for (const std::int64_t edges : {20000, 200000}) {
        SCOPED_TRACE(fmt::format("{} threads, directed {}, {} edges", threads, is_directed, edges));
        expect_naive_distances(random_large_lines(20000, edges, is_directed, 8), 17);
      }
    }
  }
}

TEST(Eccentricity, IsTheLargestDistanceToANodeInReach) {
  const Graph graph = undirected(6, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(eccentricity(graph, 1), 2);
  EXPECT_EQ(eccentricity(graph, 3), 3);
  EXPECT_EQ(eccentricity(graph, 5), 0);
}

void expect_diameter(const Graph& graph, std::int32_t diameter) {
  const DiameterBounds bounds = diameter_bounds(graph);
  EXPECT_EQ(bounds.lower, diameter);
  EXPECT_EQ(bounds.upper, diameter);
  EXPECT_TRUE(bounds.exact());
}

TEST(DiameterBounds, AreExactOnSmallShapes) {
  expect_diameter(generate_graph("path", {{"nodes", 30}}).graph, 29);
  expect_diameter(generate_graph("ring", {{"nodes", 30}}).graph, 15);
  expect_diameter(generate_graph("ring", {{"nodes", 31}}).graph, 15);
  expect_diameter(generate_graph("star", {{"nodes", 30}}).graph, 2);
  expect_diameter(generate_graph("grid", {{"rows", 7}, {"columns", 11}}).graph, 16);
  expect_diameter(generate_graph("tree", {{"branching", 3}, {"depth", 4}}).graph, 8);
  expect_diameter(generate_graph("barbell", {{"clique", 5}, {"path", 3}}).graph, 6);
  expect_diameter(generate_graph("karate").graph, 5);
}

TEST(DiameterBounds, OfTinyGraphsAreZero) {
  expect_diameter(undirected(0, {}), 0);
  expect_diameter(undirected(1, {}), 0);
  expect_diameter(undirected(3, {{1, 1}}), 0);
}

TEST(DiameterBounds, ConsiderTheLargestComponentOnly) {
  expect_diameter(undirected(9, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {4, 6}, {4, 7}, {4, 8}}), 2);
}

TEST(DiameterBounds, IgnoreTheDirectionOfEdges) { expect_diameter(directed(4, {{0, 1}, {2, 1}, {2, 3}}), 3); }

TEST(DiameterBounds, AreExactOnRandomSmallGraphs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = build(random_lines(seed));
    const Components parts = connected_components(graph);
    std::int32_t longest = 0;
    for (std::int64_t v = 0; v < graph.num_nodes(); ++v) {
      if (parts.of_node[v] != parts.largest()) continue;
      longest = std::max(longest, eccentricity(graph, static_cast<NodeId>(v), {.undirected = true}));
    }
    expect_diameter(graph, longest);
  }
}

TEST(DiameterBounds, EncloseTheDiameterOfALargeRing) {
  // All nodes of a ring are alike, so that a bounded number of searches cannot make the bounds meet.
  const Graph graph = generate_graph("ring", {{"nodes", 1000000}}).graph;
  const DiameterBounds bounds = diameter_bounds(graph);
  EXPECT_EQ(bounds.lower, 500000);
  EXPECT_GT(bounds.upper, 500000);
  EXPECT_LT(bounds.upper, 600000);
}

TEST(DiameterBounds, AreTheSameOnAnyNumberOfThreads) {
  // Large enough for only the 16 searches that are always made, after which the bounds still differ.
  const Graph graph = generate_graph("watts-strogatz", {{"nodes", 800000}, {"neighbors", 6}, {"rewire", 0.5}}, 3).graph;
  std::vector<DiameterBounds> found;
  for (const int threads : {1, 4}) {
    const ThreadScope use(threads);
    found.push_back(diameter_bounds(graph));
  }
  EXPECT_LT(found[0].lower, found[0].upper) << "the bounds must differ for this test to show anything";
  for (const DiameterBounds& bounds : found) {
    EXPECT_EQ(bounds.lower, found[0].lower);
    EXPECT_EQ(bounds.upper, found[0].upper);
  }
}

}  // namespace
}  // namespace gir
