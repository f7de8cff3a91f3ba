#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/graph.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

using testing::build;
using testing::directed;
using testing::EdgeLines;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_large_lines;
using testing::random_lines;
using testing::undirected;

TEST(BuildGraph, StoresAnUndirectedEdgeInBothDirections) {
  const Graph graph = undirected(3, {{0, 2}});
  EXPECT_EQ(graph.num_arcs(), 2);
  EXPECT_THAT(graph.out_neighbors(0), ElementsAre(2));
  EXPECT_THAT(graph.out_neighbors(1), IsEmpty());
  EXPECT_THAT(graph.out_neighbors(2), ElementsAre(0));
  EXPECT_EQ(&graph.in(), &graph.out());
}

TEST(BuildGraph, KeepsTheDirectionOfADirectedEdge) {
  const Graph graph = directed(3, {{0, 2}});
  EXPECT_EQ(graph.num_arcs(), 1);
  EXPECT_THAT(graph.out_neighbors(0), ElementsAre(2));
  EXPECT_THAT(graph.out_neighbors(2), IsEmpty());
  EXPECT_THAT(graph.in_neighbors(2), ElementsAre(0));
  EXPECT_THAT(graph.in_neighbors(0), IsEmpty());
}

TEST(BuildGraph, SortsNeighbours) {
  EXPECT_THAT(undirected(5, {{2, 4}, {2, 0}, {3, 2}, {1, 2}}).out_neighbors(2), ElementsAre(0, 1, 3, 4));
}

TEST(BuildGraph, MergesRepeatedEdges) {
  EXPECT_EQ(undirected(2, {{0, 1}, {0, 1}, {1, 0}}).num_arcs(), 2);
  EXPECT_EQ(directed(2, {{0, 1}, {0, 1}, {1, 0}}).num_arcs(), 2);
}

TEST(BuildGraph, StoresSelfLoopsSeparatelyFromArcs) {
  const Graph graph = undirected(3, {{2, 2}, {0, 1}, {1, 1}, {2, 2}});
  EXPECT_EQ(graph.num_arcs(), 2);
  EXPECT_THAT(graph.self_loops(), ElementsAre(1, 2));
  EXPECT_THAT(graph.self_loop_weights(), IsEmpty());
}

TEST(BuildGraph, AcceptsAGraphWithoutNodes) {
  const Graph graph = undirected(0, {});
  EXPECT_EQ(graph.num_nodes(), 0);
  EXPECT_EQ(graph.num_arcs(), 0);
}

TEST(BuildGraph, AcceptsAGraphWithoutEdges) {
  const Graph graph = directed(3, {});
  EXPECT_EQ(graph.num_nodes(), 3);
  EXPECT_THAT(graph.out_neighbors(2), IsEmpty());
  EXPECT_THAT(graph.in_neighbors(2), IsEmpty());
}

TEST(BuildGraph, AddsTheWeightsOfARepeatedArc) {
  const Graph graph = build({.nodes = 2, .directed = true, .arcs = {{0, 1}, {1, 0}, {0, 1}}, .weights = {1, 5, 2}});
  EXPECT_TRUE(graph.weighted());
  EXPECT_THAT(graph.out().row_weights(0), ElementsAre(3));
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(5));
  EXPECT_THAT(graph.in().row_weights(0), ElementsAre(5));
  EXPECT_THAT(graph.in().row_weights(1), ElementsAre(3));
}

TEST(BuildGraph, TakesTheLargerSumOfTheTwoDirectionsOfAnUndirectedEdge) {
  const Graph graph = build({.nodes = 2, .directed = false, .arcs = {{0, 1}, {1, 0}, {0, 1}}, .weights = {1, 2.5, 2}});
  EXPECT_THAT(graph.out().row_weights(0), ElementsAre(3));
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(3));
}

TEST(BuildGraph, KeepsANegativeWeightThatIsGivenInOneDirection) {
  const Graph graph = build({.nodes = 2, .directed = false, .arcs = {{1, 0}}, .weights = {-2}});
  EXPECT_THAT(graph.out().row_weights(0), ElementsAre(-2));
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(-2));
}

TEST(BuildGraph, AddsTheWeightsOfSelfLoops) {
  const Graph graph = build({.nodes = 3, .directed = false, .arcs = {{2, 2}, {0, 0}, {2, 2}}, .weights = {1, 4, 2}});
  EXPECT_THAT(graph.self_loops(), ElementsAre(0, 2));
  EXPECT_THAT(graph.self_loop_weights(), ElementsAre(4, 3));
}

TEST(BuildGraph, RefusesAnArcToANodeThatDoesNotExist) {
  EXPECT_THROW(undirected(2, {{0, 2}}), InternalError);
  EXPECT_THROW(undirected(2, {{-1, 0}}), InternalError);
  EXPECT_THROW(undirected(2, {{5, 5}}), InternalError);
  EXPECT_THROW(undirected(0, {{0, 0}}), InternalError);
}

TEST(BuildGraph, RefusesAWrongNumberOfWeights) {
  EXPECT_THROW(build({.nodes = 2, .directed = false, .arcs = {{0, 1}}, .weights = {1, 2}}), InternalError);
}

/// What build_graph() documents, in a slow and obvious way.
struct NaiveGraph {
  std::vector<std::map<NodeId, float>> out;
  std::vector<std::map<NodeId, float>> in;
  std::map<NodeId, float> self_loops;

  explicit NaiveGraph(const EdgeLines& lines)
      : out(static_cast<std::size_t>(lines.nodes)), in(static_cast<std::size_t>(lines.nodes)) {
    std::map<Arc, double> sums;
    for (std::size_t i = 0; i < lines.arcs.size(); ++i) {
      sums[lines.arcs[i]] += lines.weights.empty() ? 1 : lines.weights[i];
    }
    for (const auto& [arc, sum] : sums) {
      const Arc back{arc.target, arc.source};
      const bool both = !lines.directed && sums.count(back) != 0;
      const auto weight = static_cast<float>(both ? std::max(sum, sums[back]) : sum);
      if (arc.source == arc.target) {
        self_loops[arc.source] = weight;
        continue;
      }
      add(arc, weight);
      if (!lines.directed) add(back, weight);
    }
  }

 private:
  void add(Arc arc, float weight) {
    out[static_cast<std::size_t>(arc.source)][arc.target] = weight;
    in[static_cast<std::size_t>(arc.target)][arc.source] = weight;
  }
};

void expect_rows(const Adjacency& rows, const std::vector<std::map<NodeId, float>>& expected) {
  ASSERT_EQ(rows.offsets.size(), static_cast<std::int64_t>(expected.size()) + 1);
  ASSERT_EQ(rows.offsets[0], 0);
  for (std::size_t v = 0; v < expected.size(); ++v) {
    const auto row = rows.row(static_cast<NodeId>(v));
    ASSERT_EQ(row.size(), expected[v].size()) << "row " << v;
    std::size_t i = 0;
    for (const auto& [neighbor, weight] : expected[v]) {
      ASSERT_EQ(row[i], neighbor) << "row " << v;
      if (!rows.weights.empty()) {
        ASSERT_EQ(rows.row_weights(static_cast<NodeId>(v))[i], weight) << "row " << v;
      }
      ++i;
    }
  }
}

TEST(BuildGraph, AgreesWithANaiveConstruction) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(seed);
    const EdgeLines lines = random_lines(seed);
    const Graph graph = build(lines);
    const NaiveGraph naive(lines);
    ASSERT_EQ(graph.num_nodes(), lines.nodes);
    ASSERT_EQ(graph.directed(), lines.directed);
    ASSERT_EQ(graph.weighted(), !lines.weights.empty());
    expect_rows(graph.out(), naive.out);
    expect_rows(graph.in(), naive.in);
    std::map<NodeId, float> loops;
    for (std::size_t i = 0; i < graph.self_loops().size(); ++i) {
      loops[graph.self_loops()[i]] =
          graph.weighted() ? graph.self_loop_weights()[i] : naive.self_loops.at(graph.self_loops()[i]);
    }
    ASSERT_EQ(loops, naive.self_loops);
    ASSERT_TRUE(std::is_sorted(graph.self_loops().begin(), graph.self_loops().end()));
  }
}

TEST(BuildGraph, AgreesWithANaiveConstructionOnLargerGraphs) {
  for (const bool is_directed : {false, true}) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(fmt::format("directed {} weighted {}", is_directed, weighted));
      EdgeLines lines = random_large_lines(5000, 140000, is_directed, 5);
      for (std::size_t i = 0; weighted && i < lines.arcs.size(); ++i) lines.weights.push_back(0.5f * (i % 7));
      const Graph graph = build(lines);
      const NaiveGraph naive(lines);
      expect_rows(graph.out(), naive.out);
      expect_rows(graph.in(), naive.in);
    }
  }
}

TEST(BuildGraph, IsTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const EdgeLines lines = random_lines(seed);
    std::set<std::string> fingerprints;
    for (const int threads : {1, 2, 4}) {
      const ThreadScope use(threads);
      fingerprints.insert(build(lines).fingerprint());
    }
    ASSERT_EQ(fingerprints.size(), 1u) << "seed " << seed;
  }
}

TEST(BuildGraph, IsTheSameOnAnyNumberOfThreadsWhereThereAreManyBlocks) {
  for (const bool weighted : {false, true}) {
    EdgeLines lines = random_large_lines(30000, 400000, false, 9);
    Rng rng(1, "weights");
    // Thirds are not exact, so that adding in another order would change the sums.
    for (std::size_t i = 0; weighted && i < lines.arcs.size(); ++i) {
      lines.arcs[i] = lines.arcs[i % 100000];
      lines.weights.push_back(static_cast<float>(rng.uniform()) / 3);
    }
    std::set<std::string> fingerprints;
    for (const int threads : {1, 2, 4}) {
      const ThreadScope use(threads);
      fingerprints.insert(build(lines).fingerprint());
    }
    EXPECT_EQ(fingerprints.size(), 1u) << "weighted " << weighted;
  }
}

TEST(BuildGraph, DoesNotDependOnTheOrderOfTheArcs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    EdgeLines lines = random_lines(seed);
    const std::string before = build(lines).fingerprint();
    std::vector<std::size_t> order(lines.arcs.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Rng(seed, "order").shuffle(order);
    EdgeLines shuffled{.nodes = lines.nodes, .directed = lines.directed, .arcs = {}, .weights = {}};
    for (const std::size_t i : order) {
      shuffled.arcs.push_back(lines.arcs[i]);
      if (!lines.weights.empty()) shuffled.weights.push_back(lines.weights[i]);
    }
    ASSERT_EQ(build(shuffled).fingerprint(), before) << "seed " << seed;
  }
}

TEST(BuildGraph, ListingEveryUndirectedEdgeInBothDirectionsChangesNothing) {
  EdgeLines lines{.nodes = 4, .directed = false, .arcs = {{0, 1}, {3, 1}, {2, 3}}, .weights = {0.5, 2, -1}};
  const std::string once = build(lines).fingerprint();
  for (std::size_t i = 0; i < 3; ++i) {
    lines.arcs.push_back({lines.arcs[i].target, lines.arcs[i].source});
    lines.weights.push_back(lines.weights[i]);
  }
  EXPECT_EQ(build(lines).fingerprint(), once);
}

void expect_equal(const Adjacency& a, const Adjacency& b) {
  EXPECT_TRUE(std::ranges::equal(a.offsets.span(), b.offsets.span()));
  EXPECT_TRUE(std::ranges::equal(a.neighbors.span(), b.neighbors.span()));
  EXPECT_TRUE(std::ranges::equal(a.weights.span(), b.weights.span()));
}

TEST(Transpose, ReversesArcs) {
  const Graph graph = build({.nodes = 3, .directed = true, .arcs = {{0, 1}, {2, 1}, {1, 0}}, .weights = {1, 2, 3}});
  const Adjacency turned = transpose(graph.out());
  EXPECT_THAT(turned.row(0), ElementsAre(1));
  EXPECT_THAT(turned.row(1), ElementsAre(0, 2));
  EXPECT_THAT(turned.row(2), IsEmpty());
  EXPECT_THAT(turned.row_weights(1), ElementsAre(1, 2));
}

TEST(Transpose, TwiceIsTheOriginal) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = build(random_lines(seed));
    expect_equal(transpose(transpose(graph.out())), graph.out());
  }
}

TEST(Transpose, OfAnUndirectedGraphIsTheGraph) {
  for (std::uint64_t seed = 0; seed < 100; seed += 2) {
    SCOPED_TRACE(seed);
    const Graph graph = build(random_lines(seed));
    expect_equal(transpose(graph.out()), graph.out());
  }
}

}  // namespace
}  // namespace gir
