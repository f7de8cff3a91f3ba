// Breadth-first search on a GPU gives the distance tables of the CPU.

#include <numeric>

#include "cuda/training.h"
#include "gir/anchors/distances.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"

namespace gir {
namespace {

std::vector<NodeId> some_nodes(const Graph& graph, std::int64_t count) {
  std::vector<NodeId> all(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(all.begin(), all.end(), 0);
  Rng(3, "test/sources").shuffle(all);
  all.resize(static_cast<std::size_t>(std::min(count, graph.num_nodes())));
  return all;
}

void expect_the_same_tables(const Graph& graph, const NodeSets& sets, const DistanceOptions& options = {}) {
  const DistanceTable expected = set_distances(graph, sets, options);
  const DistanceTable found =
      set_distances(graph, sets, {.max_hops = options.max_hops, .search = distance_search(make_context("cuda"))});
  EXPECT_EQ(found.nodes, expected.nodes);
  EXPECT_EQ(found.sources, expected.sources);
  EXPECT_TRUE(std::ranges::equal(found.hops.span(), expected.hops.span()));
}

TEST(SearchOnGpu, FindsTheSameDistancesAsTheCpu) {
  const Graph rmat = generate_graph("rmat", {{"scale", 11}}).graph;  // has hubs and unreachable nodes
  for (const std::int64_t sources : {1, 63, 64, 65, 256, 257, 600}) {
    expect_the_same_tables(rmat, singletons(some_nodes(rmat, sources)));
  }
}

TEST(SearchOnGpu, FollowsEdgeDirections) {
  const Graph graph = testing::build(testing::random_large_lines(500, 900, /*directed=*/true, 1));
  expect_the_same_tables(graph, singletons(some_nodes(graph, 100)));
}

TEST(SearchOnGpu, StopsAtTheMaximumDistance) {
  const Graph path = generate_graph("path", {{"nodes", 400}}).graph;
  for (const Hops max_hops : {0, 1, 2, 399}) {
    expect_the_same_tables(path, singletons(some_nodes(path, 70)), {.max_hops = max_hops});
  }
  expect_the_same_tables(path, singletons(some_nodes(path, 3)));
}

TEST(SearchOnGpu, StartsAtSetsOfNodes) {
  const Graph graph = testing::build(testing::random_large_lines(300, 500, /*directed=*/false, 2));
  expect_the_same_tables(graph, draw_anchor_sets(300, 5, 0));
  NodeSets sets;
  sets.add({});
  sets.add(some_nodes(graph, 7));
  expect_the_same_tables(graph, sets);
  expect_the_same_tables(graph, NodeSets());
}

}  // namespace
}  // namespace gir
