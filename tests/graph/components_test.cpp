#include "gir/graph/components.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
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

TEST(Components, AreNumberedByTheirSmallestNode) {
  const Components parts = connected_components(undirected(7, {{5, 2}, {2, 6}, {4, 1}}));
  EXPECT_THAT(parts.of_node, ElementsAre(0, 1, 2, 3, 1, 2, 2));
  EXPECT_THAT(parts.sizes, ElementsAre(1, 2, 3, 1));
  EXPECT_EQ(parts.count(), 4);
  EXPECT_EQ(parts.largest(), 2);
}

TEST(Components, IgnoreTheDirectionOfEdges) {
  const Components parts = connected_components(directed(5, {{1, 0}, {1, 2}, {4, 2}}));
  EXPECT_THAT(parts.of_node, ElementsAre(0, 0, 0, 1, 0));
}

TEST(Components, AreNotJoinedBySelfLoops) {
  EXPECT_EQ(connected_components(undirected(2, {{0, 0}, {1, 1}})).count(), 2);
}

TEST(Components, TheLargestIsTheFirstOfEquals) {
  EXPECT_EQ(connected_components(undirected(5, {{1, 2}, {3, 4}})).largest(), 1);
}

TEST(Components, OfNoNodesAreNone) {
  const Components parts = connected_components(undirected(0, {}));
  EXPECT_EQ(parts.count(), 0);
  EXPECT_TRUE(parts.of_node.empty());
  EXPECT_THROW(parts.largest(), InternalError);
}

/// Labels every node by the smallest node it can be reached from, until nothing changes.
std::vector<std::int32_t> naive_components(const EdgeLines& lines) {
  std::vector<NodeId> smallest(static_cast<std::size_t>(lines.nodes));
  std::iota(smallest.begin(), smallest.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Arc arc : lines.arcs) {
      auto& a = smallest[static_cast<std::size_t>(arc.source)];
      auto& b = smallest[static_cast<std::size_t>(arc.target)];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  std::vector<NodeId> roots = smallest;
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  for (NodeId& node : smallest) {
    node = static_cast<NodeId>(std::lower_bound(roots.begin(), roots.end(), node) - roots.begin());
  }
  return smallest;
}

void expect_naive_components(const EdgeLines& lines) {
  const Components parts = connected_components(build(lines));
  const auto expected = naive_components(lines);
  ASSERT_TRUE(std::equal(parts.of_node.begin(), parts.of_node.end(), expected.begin(), expected.end()));
  for (std::int32_t part = 0; part < parts.count(); ++part) {
    ASSERT_EQ(parts.sizes[part], std::count(expected.begin(), expected.end(), part));
  }
}

TEST(Components, AgreeWithLabelPropagation) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    EdgeLines lines = random_lines(seed);
    if (seed % 3 == 0) lines.arcs.resize(std::min<std::size_t>(lines.arcs.size(), 20));
    lines.weights.clear();
    expect_naive_components(lines);
  }
}

TEST(Components, AgreeWithLabelPropagationOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    const ThreadScope use(threads);
    for (const bool is_directed : {false, true}) {
      for (const std::int64_t edges : {10000, 40000}) {
        SCOPED_TRACE(fmt::format("{} threads, directed {}, {} edges", threads, is_directed, edges));
        expect_naive_components(random_large_lines(20000, edges, is_directed, 3));
      }
    }
  }
}

TEST(Components, OfALongShuffledPathAreOne) {
  std::vector<NodeId> order(50000);
  std::iota(order.begin(), order.end(), 0);
  Rng(1, "path").shuffle(order);
  std::vector<Arc> arcs;
  for (std::size_t i = 1; i < order.size(); ++i) arcs.push_back({order[i - 1], order[i]});
  for (const int threads : {1, 4}) {
    const ThreadScope use(threads);
    EXPECT_EQ(connected_components(undirected(50000, arcs)).count(), 1);
    EXPECT_EQ(connected_components(directed(50000, arcs)).count(), 1);
  }
}

TEST(Components, LongChainsAreOneComponentWhateverTheOrderOfTheThreads) {
  const ThreadScope threads(8);
  constexpr NodeId kNodes = 200'000;
  Array<Arc> chain(kNodes - 1);
  // Consecutive nodes of the chain have distant numbers, so that paths to the root are long.
  for (NodeId i = 0; i + 1 < kNodes; ++i) {
    const auto place = [](NodeId position) { return position % 2 == 0 ? position / 2 : kNodes - 1 - position / 2; };
    chain[i] = {place(i), place(i + 1)};
  }
  const Graph graph = build_graph({.arcs = std::move(chain), .names = NodeNames::positions(kNodes)});
  for (int trial = 0; trial < 30; ++trial) ASSERT_EQ(connected_components(graph).count(), 1);
}

}  // namespace
}  // namespace gir
