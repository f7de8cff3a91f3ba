#include "gir/graph/layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "../../src/graph/quad_tree.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/graph/generators.h"
#include "random_graphs.h"

namespace gir {
namespace {

using testing::undirected;

float distance(const NodePositions& positions, NodeId a, NodeId b) {
  const auto i = static_cast<std::size_t>(a);
  const auto j = static_cast<std::size_t>(b);
  return std::hypot(positions.x[i] - positions.x[j], positions.y[i] - positions.y[j]);
}

TEST(QuadTree, ApproximatesTheRepulsionOfAllPoints) {
  Rng rng(1, "quad tree");
  std::vector<Vector2> points;
  std::vector<float> masses;
  for (int i = 0; i < 2000; ++i) {
    points.push_back({static_cast<float>(rng.uniform()), static_cast<float>(rng.uniform() * rng.uniform())});
    masses.push_back(static_cast<float>(1 + rng.below(5)));
  }
  for (int i = 0; i < 20; ++i) points[static_cast<std::size_t>(100 + i)] = points[7];  // several points at one position
  const QuadTree tree(points, masses);
  for (std::size_t i = 0; i < points.size(); i += 37) {
    double x = 0, y = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const Vector2 away = points[i] - points[j];
      if (away.square() == 0) continue;
      x += masses[j] / away.square() * away.x;
      y += masses[j] / away.square() * away.y;
    }
    const Vector2 exact = tree.push(points[i], 0);
    const double length = std::hypot(x, y);
    EXPECT_NEAR(exact.x, x, 1e-4 * length + 1e-2) << i;
    EXPECT_NEAR(exact.y, y, 1e-4 * length + 1e-2) << i;
    const Vector2 quick = tree.push(points[i], 0.5f);
    EXPECT_LT(std::hypot(quick.x - x, quick.y - y), 0.05 * length + 20) << i;
  }
}

TEST(Layout, NeighboursLieCloserThanOthers) {
  const Graph graph = generate_graph("communities", {}, 1).graph;
  const NodePositions positions = lay_out(graph);
  double joined = 0, others = 0;
  std::int64_t edges = 0, pairs = 0;
  for (NodeId a = 0; a < graph.num_nodes(); ++a) {
    for (NodeId b = 0; b < a; ++b) {
      const double far = distance(positions, a, b);
      ASSERT_TRUE(std::isfinite(far));
      (graph.has_arc(a, b) ? joined : others) += far;
      ++(graph.has_arc(a, b) ? edges : pairs);
    }
  }
  EXPECT_LT(joined / static_cast<double>(edges), 0.6 * others / static_cast<double>(pairs));
}

TEST(Layout, StretchesAPath) {
  Array<Arc> arcs(39);
  for (NodeId i = 0; i < 39; ++i) arcs[i] = {i, i + 1};
  const Graph path =
      build_graph({.arcs = std::move(arcs), .weights = {}, .directed = true, .names = NodeNames::positions(40)});
  const NodePositions positions = lay_out(path);
  EXPECT_GT(distance(positions, 0, 39), 10 * distance(positions, 0, 1));
  EXPECT_GT(distance(positions, 0, 39), distance(positions, 0, 20));
}

TEST(Layout, IsTheSameOnAnyNumberOfThreads) {
  const Graph graph = generate_graph("barabasi-albert", {{"nodes", 3000}}, 5).graph;
  const auto with = [&](int threads) {
    const ThreadScope count(threads);
    return lay_out(graph, {.steps = 20});
  };
  const NodePositions one = with(1);
  const NodePositions four = with(4);
  EXPECT_EQ(one.x, four.x);
  EXPECT_EQ(one.y, four.y);
}

TEST(Layout, AcceptsTinyGraphs) {
  EXPECT_TRUE(lay_out(undirected(0, {})).x.empty());
  for (const std::int64_t nodes : {1, 2, 5}) {
    const NodePositions alone = lay_out(undirected(nodes, {}));
    ASSERT_EQ(std::ssize(alone.x), nodes);
    for (std::size_t i = 0; i < alone.x.size(); ++i) EXPECT_TRUE(std::isfinite(alone.x[i] + alone.y[i]));
    if (nodes > 1) {
      EXPECT_GT(distance(alone, 0, 1), 0);
    }
  }
  // Three nodes with equal distances from all others still get different positions.
  const NodePositions star = lay_out(undirected(4, {{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_GT(distance(star, 1, 2), 0.1f * distance(star, 0, 1));
}

}  // namespace
}  // namespace gir
