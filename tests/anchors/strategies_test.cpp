#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "gir/anchors/anchors.h"
#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "gir/graph/traversal.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;

std::vector<NodeId> select(const Graph& graph, const std::string& strategy, std::int64_t count,
                           std::uint64_t seed = 0) {
  return select_anchors(graph, {.count = count, .strategy = strategy, .seed = seed}).anchors;
}

/// A random graph: every other one is directed; many are disconnected and have nodes without edges.
Graph random_graph(std::uint64_t seed) { return testing::build(testing::random_lines(seed)); }

EdgeId degree(const Graph& graph, NodeId v) {
  return graph.out_degree(v) + (graph.directed() ? graph.in_degree(v) : 0);
}

/// The definition of ga-mpca, with a scan of all nodes per anchor.
std::vector<NodeId> naive_ga_mpca(const Graph& graph, std::int64_t count) {
  std::set<NodeId> covered;
  std::vector<NodeId> anchors;
  while (std::ssize(anchors) < count && std::ssize(covered) < graph.num_nodes()) {
    std::tuple<std::int64_t, EdgeId, NodeId> best{0, 0, 0};
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      std::int64_t gain = !covered.contains(v);
      for (const NodeId u : graph.out_neighbors(v)) gain += !covered.contains(u);
      best = std::max(best, {gain, degree(graph, v), ~v});
    }
    const NodeId chosen = ~std::get<2>(best);
    anchors.push_back(chosen);
    covered.insert(chosen);
    for (const NodeId u : graph.out_neighbors(chosen)) covered.insert(u);
  }
  return anchors;
}

TEST(Strategies, AreValidSeededAndTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = random_graph(seed);
    Rng rng(seed, "test/count");
    const auto count = static_cast<std::int64_t>(1 + rng.below(static_cast<std::uint64_t>(graph.num_nodes())));
    for (const AnchorStrategy& strategy : Registry<AnchorStrategy>::all()) {
      if (strategy.name == "file") continue;
      const ThreadScope one(1);
      const auto anchors = select(graph, strategy.name, count, seed);
      EXPECT_LE(std::ssize(anchors), count) << strategy.name;
      EXPECT_EQ(std::set<NodeId>(anchors.begin(), anchors.end()).size(), anchors.size()) << strategy.name;
      for (const NodeId anchor : anchors) EXPECT_LT(anchor, graph.num_nodes());
      const ThreadScope four(4);
      EXPECT_EQ(select(graph, strategy.name, count, seed), anchors) << strategy.name;
    }
  }
}

TEST(GaMpca, EqualsItsDefinition) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = random_graph(seed);
    for (const std::int64_t count : {std::int64_t{1}, (graph.num_nodes() + 1) / 2, graph.num_nodes()}) {
      EXPECT_EQ(select(graph, "ga-mpca", count), naive_ga_mpca(graph, count)) << seed;
    }
  }
}

TEST(GaMpca, CoversPathsByTheirInnerNodes) {
  // 0-1-2-3-4-5: 1 covers three, 4 covers the other three.
  const Graph path = generate_graph("path", {{"nodes", 6}}).graph;
  const AnchorSelection selection = select_anchors(path, {.count = 6});
  EXPECT_THAT(selection.anchors, ElementsAre(1, 4));
  EXPECT_TRUE(selection.restricted);
}

TEST(Degree, SelectsTheHighestDegrees) {
  EXPECT_THAT(select(testing::undirected(5, {{3, 0}, {3, 1}, {3, 2}, {1, 2}}), "degree", 3), ElementsAre(3, 1, 2));
}

TEST(PageRank, FollowsTheLinks) {
  // All point at 4, which points at 0; the rank of 0 comes second.
  const Graph graph = build_graph(
      {.arcs = {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 0}}, .directed = true, .names = NodeNames::positions(5)});
  EXPECT_THAT(select(graph, "pagerank", 2), ElementsAre(4, 0));
}

TEST(KCore, PrefersADenseCoreToAHub) {
  // A clique of four beside a star whose centre has more edges.
  Graph graph = testing::undirected(
      12, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {4, 5}, {4, 6}, {4, 7}, {4, 8}, {4, 9}, {4, 10}});
  auto anchors = select(graph, "kcore", 4);
  std::sort(anchors.begin(), anchors.end());
  EXPECT_THAT(anchors, ElementsAre(0, 1, 2, 3));
}

TEST(KCore, EqualsANaivePeeling) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = random_graph(seed);
    if (graph.directed()) continue;
    // The core number of a node: the largest k for which it remains when nodes of degree below k are removed
    // repeatedly.
    std::vector<EdgeId> core(static_cast<std::size_t>(graph.num_nodes()), 0);
    for (EdgeId k = 1; k < graph.num_nodes(); ++k) {
      std::vector<bool> alive(core.size(), true);
      for (bool changed = true; changed;) {
        changed = false;
        for (NodeId v = 0; v < graph.num_nodes(); ++v) {
          if (!alive[static_cast<std::size_t>(v)]) continue;
          EdgeId left = 0;
          for (const NodeId u : graph.out_neighbors(v)) left += alive[static_cast<std::size_t>(u)];
          if (left < k) {
            alive[static_cast<std::size_t>(v)] = false;
            changed = true;
          }
        }
      }
      for (std::size_t v = 0; v < core.size(); ++v) {
        if (alive[v]) core[v] = k;
      }
    }
    std::vector<NodeId> expected(core.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(expected.begin(), expected.end(), [&](NodeId a, NodeId b) {
      return std::tuple(-core[static_cast<std::size_t>(a)], -graph.out_degree(a), a) <
             std::tuple(-core[static_cast<std::size_t>(b)], -graph.out_degree(b), b);
    });
    EXPECT_EQ(select(graph, "kcore", graph.num_nodes()), expected) << seed;
  }
}

TEST(Betweenness, FindsTheBridge) {
  const Graph graph = generate_graph("barbell", {{"clique", 5}, {"path", 1}}).graph;
  // The node between the cliques is on every path from one to the other.
  const auto best = select_anchors(graph, {.count = 1, .strategy = "betweenness", .samples = 11});
  ASSERT_EQ(best.anchors.size(), 1u);
  EXPECT_EQ(graph.out_degree(best.anchors[0]), 2);
  EXPECT_TRUE(best.notes.empty()) << "all nodes are sampled, nothing is estimated";
}

TEST(Betweenness, SaysHowFarItsEstimateMayBeOff) {
  const Graph graph = generate_graph("karate").graph;
  const auto sampled = select_anchors(graph, {.count = 3, .strategy = "betweenness", .samples = 10});
  ASSERT_EQ(sampled.notes.size(), 1u);
  EXPECT_NE(sampled.notes[0].find("10 of 34"), std::string::npos);
  testing::expect_user_error([&] { select_anchors(graph, {.count = 3, .strategy = "betweenness", .samples = 0}); },
                             "at least one sample");
}

TEST(VertexCover, CoversEveryEdgeAndIsMinimal) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Graph graph = random_graph(seed);
    const AnchorSelection selection = select_anchors(graph, {.count = graph.num_nodes(), .strategy = "vertex-cover"});
    const std::set<NodeId> cover(selection.anchors.begin(), selection.anchors.end());
    const auto uncovered = [&](const std::set<NodeId>& nodes) {
      for (const Arc edge : undirected_edges(graph)) {
        if (!nodes.contains(edge.source) && !nodes.contains(edge.target)) return true;
      }
      return false;
    };
    EXPECT_FALSE(uncovered(cover)) << seed;
    for (const NodeId node : cover) {
      std::set<NodeId> without = cover;
      without.erase(node);
      EXPECT_TRUE(uncovered(without)) << node << " is redundant, seed " << seed;
    }
  }
}

TEST(KCenter, GoesFarthestFirst) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = random_graph(seed);
    const auto anchors = select(graph, "k-center", graph.num_nodes());
    EXPECT_EQ(std::ssize(anchors), graph.num_nodes());
    for (std::size_t i = 1; i < anchors.size(); ++i) {
      const auto distances = hop_distances(graph, std::span<const NodeId>(anchors.data(), i));
      const auto farness = [&](NodeId v) { return distances[v] == kUnreachable ? 1 << 30 : distances[v]; };
      for (NodeId v = 0; v < graph.num_nodes(); ++v) EXPECT_LE(farness(v), farness(anchors[i])) << seed;
    }
  }
}

TEST(Random, DependsOnTheSeed) {
  const Graph graph = generate_graph("karate").graph;
  EXPECT_EQ(select(graph, "random", 10, 1), select(graph, "random", 10, 1));
  EXPECT_NE(select(graph, "random", 10, 1), select(graph, "random", 10, 2));
}

}  // namespace
}  // namespace gir
