#include "gir/graph/graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <vector>

#include "gir/core/error.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using testing::build;
using testing::directed;
using testing::EdgeLines;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_lines;
using testing::undirected;

TEST(Graph, KnowsItsArcs) {
  const Graph graph = directed(4, {{0, 1}, {0, 3}, {2, 2}});
  EXPECT_TRUE(graph.has_arc(0, 1));
  EXPECT_TRUE(graph.has_arc(0, 3));
  EXPECT_FALSE(graph.has_arc(0, 2));
  EXPECT_FALSE(graph.has_arc(1, 0));
  EXPECT_FALSE(graph.has_arc(2, 2)) << "a self loop is not an arc";
}

TEST(Graph, CountsDegreesByDirection) {
  const Graph graph = directed(3, {{0, 1}, {2, 1}, {1, 0}});
  EXPECT_EQ(graph.out_degree(1), 1);
  EXPECT_EQ(graph.in_degree(1), 2);
  EXPECT_EQ(graph.in_degree(2), 0);
}

TEST(Graph, CloneHasTheSameContent) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Graph graph = build(random_lines(seed));
    const Graph copy = graph.clone();
    EXPECT_EQ(copy.fingerprint(), graph.fingerprint());
    EXPECT_EQ(copy.directed(), graph.directed());
    EXPECT_EQ(copy.weighted(), graph.weighted());
    EXPECT_TRUE(std::ranges::equal(copy.in().neighbors.span(), graph.in().neighbors.span()));
  }
}

std::string fingerprint(const EdgeLines& lines, NodeNames names) {
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(lines.arcs)),
                      .weights = Array<float>(std::span<const float>(lines.weights)),
                      .directed = lines.directed,
                      .names = std::move(names)})
      .fingerprint();
}

TEST(GraphFingerprint, ChangesWithEveryEdge) {
  const EdgeLines lines{.nodes = 5, .directed = false, .arcs = {{0, 1}, {1, 2}, {3, 4}, {2, 2}}, .weights = {}};
  std::set<std::string> prints = {build(lines).fingerprint()};
  for (std::size_t i = 0; i < lines.arcs.size(); ++i) {
    EdgeLines moved = lines;
    moved.arcs[i] = {0, 4};
    prints.insert(build(moved).fingerprint());
    EdgeLines fewer = lines;
    fewer.arcs.erase(fewer.arcs.begin() + static_cast<std::ptrdiff_t>(i));
    prints.insert(build(fewer).fingerprint());
  }
  EXPECT_EQ(prints.size(), 9u);
}

TEST(GraphFingerprint, ChangesWithEveryWeight) {
  const EdgeLines lines{.nodes = 3, .directed = false, .arcs = {{0, 1}, {1, 2}, {2, 2}}, .weights = {1, 2, 3}};
  std::set<std::string> prints = {build(lines).fingerprint()};
  for (std::size_t i = 0; i < lines.weights.size(); ++i) {
    EdgeLines changed = lines;
    changed.weights[i] += 0.5f;
    prints.insert(build(changed).fingerprint());
  }
  EdgeLines without = lines;
  without.weights.clear();
  prints.insert(build(without).fingerprint());
  EXPECT_EQ(prints.size(), 5u);
}

TEST(GraphFingerprint, ChangesWithEveryName) {
  const EdgeLines lines{.nodes = 2, .directed = false, .arcs = {{0, 1}}, .weights = {}};
  const std::set<std::string> prints = {
      fingerprint(lines, NodeNames::positions(2)),        fingerprint(lines, NodeNames::integers({0, 2})),
      fingerprint(lines, NodeNames::integers({1, 2})),    fingerprint(lines, NodeNames::integers({2, 1})),
      fingerprint(lines, NodeNames::strings({"a", "b"})), fingerprint(lines, NodeNames::strings({"a", "c"})),
      fingerprint(lines, NodeNames::strings({"ab", ""})), fingerprint(lines, NodeNames::strings({"", "ab"}))};
  EXPECT_EQ(prints.size(), 8u);
}

TEST(GraphFingerprint, ChangesWithDirectionAndIsolatedNodes) {
  const std::set<std::string> prints = {undirected(2, {{0, 1}}).fingerprint(), directed(2, {{0, 1}}).fingerprint(),
                                        directed(2, {{1, 0}}).fingerprint(), undirected(3, {{0, 1}}).fingerprint(),
                                        directed(2, {{0, 1}, {1, 0}}).fingerprint()};
  EXPECT_EQ(prints.size(), 5u);
}

TEST(UndirectedEdges, OfAnUndirectedGraphAreItsEdgesOnce) {
  const Graph graph = undirected(4, {{3, 1}, {1, 0}, {2, 2}, {0, 1}});
  EXPECT_THAT(undirected_edges(graph), ElementsAre(Arc{0, 1}, Arc{1, 3}));
  EXPECT_EQ(count_undirected_edges(graph), 2);
}

TEST(UndirectedEdges, OfADirectedGraphAreItsJoinedPairs) {
  const Graph graph = directed(4, {{3, 1}, {1, 0}, {0, 1}, {2, 2}, {0, 2}});
  EXPECT_THAT(undirected_edges(graph), ElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{1, 3}));
  EXPECT_EQ(count_undirected_edges(graph), 3);
}

TEST(UndirectedEdges, AgreeWithASetOfPairs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const EdgeLines lines = random_lines(seed);
    std::set<Arc> pairs;
    for (const Arc arc : lines.arcs) {
      if (arc.source != arc.target) pairs.insert({std::min(arc.source, arc.target), std::max(arc.source, arc.target)});
    }
    const Graph graph = build(lines);
    const auto edges = undirected_edges(graph);
    ASSERT_TRUE(std::equal(edges.begin(), edges.end(), pairs.begin(), pairs.end())) << "seed " << seed;
    ASSERT_EQ(count_undirected_edges(graph), edges.size()) << "seed " << seed;
  }
}

TEST(UndirectedEdges, AreInOrderAcrossManyBlocks) {
  for (const bool is_directed : {false, true}) {
    const Graph graph = build(testing::random_large_lines(20000, 60000, is_directed, 4));
    const auto edges = undirected_edges(graph);
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
    EXPECT_EQ(edges.size(), count_undirected_edges(graph));
  }
}

TEST(FilterEdges, KeepsTheSelectedEdges) {
  const Graph graph =
      build({.nodes = 4, .directed = false, .arcs = {{0, 1}, {2, 1}, {3, 3}, {0, 0}}, .weights = {1, 2, 3, 4}});
  const Graph kept = filter_edges(graph, [](NodeId u, NodeId v) { return u == 1 || u == 3 || v == 3; });
  EXPECT_EQ(kept.num_nodes(), 4);
  EXPECT_THAT(kept.out_neighbors(0), IsEmpty());
  EXPECT_THAT(kept.out_neighbors(1), ElementsAre(2));
  EXPECT_THAT(kept.out_neighbors(2), ElementsAre(1));
  EXPECT_THAT(kept.out().row_weights(2), ElementsAre(2));
  EXPECT_THAT(kept.self_loops(), ElementsAre(3));
  EXPECT_THAT(kept.self_loop_weights(), ElementsAre(3));
}

TEST(FilterEdges, VisitsAnUndirectedEdgeOnceWithTheSmallerNodeFirst) {
  std::vector<Arc> asked;
  filter_edges(undirected(3, {{2, 0}, {1, 0}, {1, 1}}), [&](NodeId u, NodeId v) {
    asked.push_back({u, v});
    return true;
  });
  EXPECT_THAT(asked, ::testing::UnorderedElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{1, 1}));
}

TEST(FilterEdges, OfAllEdgesIsTheGraph) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph graph = build(random_lines(seed));
    ASSERT_EQ(filter_edges(graph, [](NodeId, NodeId) { return true; }).fingerprint(), graph.fingerprint());
  }
}

TEST(InducedSubgraph, KeepsTheEdgesAmongItsNodes) {
  const Graph graph = undirected(5, {{0, 1}, {1, 2}, {2, 4}, {4, 1}, {4, 4}, {0, 0}});
  const std::vector<NodeId> nodes = {1, 2, 4};
  const Graph part = induced_subgraph(graph, nodes);
  EXPECT_EQ(part.num_nodes(), 3);
  EXPECT_THAT(undirected_edges(part), ElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{1, 2}));
  EXPECT_THAT(part.self_loops(), ElementsAre(2));
  EXPECT_EQ(part.names().name(0), "1");
  EXPECT_EQ(part.names().name(2), "4");
}

TEST(InducedSubgraph, KeepsDirectionsAndWeights) {
  const Graph graph = build({.nodes = 3, .directed = true, .arcs = {{2, 1}, {1, 2}, {0, 1}}, .weights = {5, 7, 9}});
  const std::vector<NodeId> nodes = {1, 2};
  const Graph part = induced_subgraph(graph, nodes);
  EXPECT_TRUE(part.directed());
  EXPECT_THAT(part.out().weights, ElementsAre(7, 5));
  EXPECT_THAT(part.in().weights, ElementsAre(5, 7));
}

TEST(InducedSubgraph, OfAllNodesIsTheGraph) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph graph = build(random_lines(seed));
    std::vector<NodeId> all;
    for (std::int64_t v = 0; v < graph.num_nodes(); ++v) all.push_back(static_cast<NodeId>(v));
    ASSERT_EQ(induced_subgraph(graph, all).fingerprint(), graph.fingerprint());
  }
}

TEST(InducedSubgraph, RefusesNodesOutOfOrder) {
  const std::vector<NodeId> nodes = {1, 0};
  EXPECT_THROW(induced_subgraph(undirected(2, {}), nodes), InternalError);
}

}  // namespace
}  // namespace gir
