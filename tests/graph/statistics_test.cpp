#include "gir/graph/statistics.h"

#include "gir/graph/generators.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::directed;
using testing::undirected;

TEST(GraphStatistics, OfAnUndirectedGraph) {
  const GraphStatistics facts = graph_statistics(undirected(6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {1, 1}, {5, 5}}));
  EXPECT_EQ(facts.nodes, 6);
  EXPECT_EQ(facts.edges, 4 + 2);
  EXPECT_EQ(facts.directed_edges, 8 + 2);
  EXPECT_EQ(facts.self_loops, 2);
  EXPECT_EQ(facts.isolated_nodes, 2);
  EXPECT_EQ(facts.components, 3);
  EXPECT_EQ(facts.largest_component, 4);
  EXPECT_DOUBLE_EQ(facts.mean_degree, 8.0 / 6);
  EXPECT_DOUBLE_EQ(facts.density, 4.0 / 15);
  EXPECT_EQ(facts.diameter.lower, 2);
  EXPECT_EQ(facts.diameter.upper, 2);
}

TEST(GraphStatistics, OfADirectedGraph) {
  const GraphStatistics facts = graph_statistics(directed(4, {{0, 1}, {1, 0}, {2, 1}, {3, 3}}));
  EXPECT_EQ(facts.edges, 2 + 1);
  EXPECT_EQ(facts.directed_edges, 3 + 1);
  EXPECT_EQ(facts.isolated_nodes, 1);
  EXPECT_EQ(facts.components, 2);
  EXPECT_EQ(facts.largest_component, 3);
  EXPECT_EQ(facts.degree.maximum, 3);
  EXPECT_DOUBLE_EQ(facts.mean_degree, 6.0 / 4);
  EXPECT_DOUBLE_EQ(facts.density, 2.0 / 6);
  EXPECT_EQ(facts.diameter.lower, 2);
}

TEST(GraphStatistics, OfNoNodesAreZero) {
  const GraphStatistics facts = graph_statistics(undirected(0, {}));
  EXPECT_EQ(facts.nodes, 0);
  EXPECT_EQ(facts.components, 0);
  EXPECT_EQ(facts.mean_degree, 0);
  EXPECT_EQ(facts.density, 0);
}

TEST(GraphStatistics, OfOneNode) {
  const GraphStatistics facts = graph_statistics(undirected(1, {}));
  EXPECT_EQ(facts.components, 1);
  EXPECT_EQ(facts.largest_component, 1);
  EXPECT_EQ(facts.isolated_nodes, 1);
  EXPECT_EQ(facts.density, 0);
}

TEST(DegreeQuantiles, AreTheSmallestDegreesThatCoverAShareOfTheNodes) {
  const DegreeQuantiles star = graph_statistics(generate_graph("star", {{"nodes", 100}}).graph).degree;
  EXPECT_EQ(star.minimum, 1);
  EXPECT_EQ(star.percent_99, 1);
  EXPECT_EQ(star.maximum, 99);

  const DegreeQuantiles path = graph_statistics(generate_graph("path", {{"nodes", 8}}).graph).degree;
  EXPECT_EQ(path.minimum, 1);
  EXPECT_EQ(path.percent_25, 1);
  EXPECT_EQ(path.median, 2);
  EXPECT_EQ(path.maximum, 2);
}

TEST(DegreeQuantiles, CountBothDirectionsOfADirectedGraph) {
  const DegreeQuantiles degree = graph_statistics(directed(3, {{0, 1}, {1, 0}, {1, 2}})).degree;
  EXPECT_EQ(degree.minimum, 1);
  EXPECT_EQ(degree.median, 2);
  EXPECT_EQ(degree.maximum, 3);
}

TEST(DegreeQuantiles, AscendFromTheMinimumToTheMaximum) {
  const DegreeQuantiles karate = graph_statistics(generate_graph("karate").graph).degree;
  EXPECT_EQ(karate.minimum, 1);
  EXPECT_EQ(karate.percent_25, 2);
  EXPECT_EQ(karate.median, 3);
  EXPECT_EQ(karate.percent_75, 5);
  EXPECT_EQ(karate.percent_90, 10);
  EXPECT_EQ(karate.percent_99, 17);
  EXPECT_EQ(karate.maximum, 17);
}

/// Reads lines of two ids, which are node numbers.
Graph read_pairs(const std::filesystem::path& path, std::int64_t nodes) {
  std::ifstream file(path);
  std::vector<Arc> arcs;
  for (Arc arc{}; file >> arc.source >> arc.target;) arcs.push_back(arc);
  return undirected(nodes, std::move(arcs));
}

TEST(GraphStatistics, OfTheEuropeanAirportsAreThePublishedOnes) {
  GIR_NEEDS_DATA();
  const auto path = *testing::data_directory() / "europe/europe-airports.edgelist";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no europe graph [put it into the data directory]";
  const GraphStatistics facts = graph_statistics(read_pairs(path, 399));
  EXPECT_EQ(facts.edges, 5995);
  EXPECT_EQ(facts.directed_edges, 2 * 5993 + 2);
  EXPECT_EQ(facts.self_loops, 2);
  EXPECT_EQ(facts.components, 1);
  EXPECT_EQ(facts.largest_component, 399);
  EXPECT_TRUE(facts.diameter.exact());
}

}  // namespace
}  // namespace gir
