#include "gir/graph/generators.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/graph/components.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;

TEST(Generators, AreAllRegistered) {
  std::vector<std::string> names;
  for (const Generator& generator : Registry<Generator>::all()) names.push_back(generator.name);
  EXPECT_THAT(names, ElementsAre("barabasi-albert", "barbell", "communities", "erdos-renyi", "grid", "karate", "path",
                                 "random-tree", "ring", "rmat", "sbm", "star", "tree", "watts-strogatz"));
}

TEST(Generators, AllDescribeThemselvesAndHaveDefaultsInRange) {
  for (const Generator& generator : Registry<Generator>::all()) {
    SCOPED_TRACE(generator.name);
    EXPECT_FALSE(generator.summary.empty());
    GeneratorParameters defaults;
    for (const GeneratorParameter& parameter : generator.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
      defaults.set(parameter.name, parameter.default_value);
    }
    EXPECT_EQ(generate_graph(generator.name, defaults, 3).graph.fingerprint(),
              generate_graph(generator.name, GeneratorParameters(), 3).graph.fingerprint());
  }
}

TEST(Generators, AllGenerateSimpleUndirectedGraphsNumberedFromZero) {
  for (const Generator& generator : Registry<Generator>::all()) {
    SCOPED_TRACE(generator.name);
    const AttributedGraph made = generate_graph(generator.name, GeneratorParameters(), 1);
    EXPECT_FALSE(made.graph.directed());
    EXPECT_FALSE(made.graph.weighted());
    EXPECT_TRUE(made.graph.self_loops().empty());
    EXPECT_GT(made.graph.num_arcs(), 0);
    EXPECT_EQ(made.graph.names().kind(), NodeNames::Kind::kPositions);
    EXPECT_TRUE(made.labels.empty() || made.labels.classes.size() == made.graph.num_nodes());
  }
}

TEST(Generators, AllGiveTheSameGraphForTheSameSeedOnAnyNumberOfThreads) {
  for (const Generator& generator : Registry<Generator>::all()) {
    std::set<std::string> prints;
    for (const int threads : {1, 2, 4}) {
      const ThreadScope use(threads);
      prints.insert(generate_graph(generator.name, GeneratorParameters(), 5).graph.fingerprint());
    }
    EXPECT_EQ(prints.size(), 1u) << generator.name;
  }
}

TEST(Generators, WithRandomnessGiveAnotherGraphForAnotherSeed) {
  for (const char* kind :
       {"barabasi-albert", "communities", "erdos-renyi", "random-tree", "rmat", "sbm", "watts-strogatz"}) {
    EXPECT_NE(generate_graph(kind, {}, 1).graph.fingerprint(), generate_graph(kind, {}, 2).graph.fingerprint()) << kind;
  }
}

TEST(RandomTree, HasOneComponentPerTree) {
  const Graph graph = generate_graph("random-tree", {{"nodes", 103}, {"trees", 10}}, 4).graph;
  const Components components = connected_components(graph);
  EXPECT_EQ(components.count(), 10);
  EXPECT_EQ(graph.num_arcs(), 2 * (103 - 10)) << "trees";
  expect_user_error([] { generate_graph("random-tree", {{"nodes", 3}, {"trees", 4}}); }, "`trees` is 4", "1 .. 3");
}

TEST(GeneratorParameters, AreFoundUnderAnySpelling) {
  EXPECT_EQ(generate_graph("SBM", {{"P_In", 1}, {"p-out", 0}, {"nodes", 8}}).graph.num_arcs(), 8);
}

TEST(GeneratorParameters, AreReadFromText) {
  GeneratorParameters given;
  given.set_text("nodes", "1e2");
  EXPECT_EQ(generate_graph("path", given).graph.num_nodes(), 100);
  given.set_text("nodes", "12");
  EXPECT_EQ(generate_graph("path", given).graph.num_nodes(), 12);
}

TEST(GeneratorParameters, RefuseTextThatIsNotANumber) {
  for (const char* text : {"", "x", "1x", "0x10", "nan", "inf", "1e999", " 1", "--2"}) {
    GeneratorParameters given;
    expect_user_error([&] { given.set_text("p_in", text); }, "`p-in`: expected a number such as 10, 0.5 or 1e6, got \"",
                      text);
  }
}

TEST(GeneratorParameters, RefuseAnUnknownNameAndListTheNearestFirst) {
  expect_user_error(
      [] {
        generate_graph("sbm", {{"pin", 0.5}});
      },
      "sbm: unknown parameter \"pin\" [known: p-in, p-out, ");
  expect_user_error(
      [] {
        generate_graph("karate", {{"nodes", 5}});
      },
      "karate: unknown parameter \"nodes\" [it has none]");
}

TEST(GeneratorParameters, RefuseAValueOutOfRange) {
  expect_user_error([] { generate_graph("sbm", {{"p-in", 1.5}}); }, "sbm: `p-in` is 1.5, out of range [choose 0 .. 1]");
  expect_user_error(
      [] {
        generate_graph("ring", {{"nodes", 2}});
      },
      "ring: `nodes` is 2, out of range [choose 3 .. 2147483647]");
  expect_user_error(
      [] {
        generate_graph("path", {{"nodes", std::int64_t{1} << 40}});
      },
      "`nodes` is 1099511627776, out of range");
  expect_user_error([] { generate_graph("path", {{"nodes", -1}}); }, "`nodes` is -1, out of range");
  expect_user_error([] { generate_graph("erdos-renyi", {{"p", std::nan("")}}); }, "`p` is nan, out of range");
}

TEST(GeneratorParameters, RefuseAFractionForAnInteger) {
  expect_user_error([] { generate_graph("path", {{"nodes", 2.5}}); }, "path: `nodes` is 2.5, not a whole number");
}

TEST(Generators, RefuseAnUnknownKindAndListTheNearestFirst) {
  expect_user_error([] { generate_graph("sbn"); }, "unknown generator \"sbn\" [known: sbm, ");
}

TEST(Generators, RefuseParametersThatContradictEachOther) {
  expect_user_error(
      [] {
        generate_graph("sbm", {{"nodes", 3}, {"blocks", 4}});
      },
      "sbm: `blocks` is 4", "[choose 1 .. 3]");
  expect_user_error(
      [] {
        generate_graph("barabasi-albert", {{"nodes", 3}, {"attach", 3}});
      },
      "`attach` is 3", "[choose 1 .. 2]");
  expect_user_error([] { generate_graph("watts-strogatz", {{"neighbors", 3}}); }, "`neighbors` is 3, an odd number");
  expect_user_error([] { generate_graph("watts-strogatz", {{"nodes", 10}, {"neighbors", 10}}); }, "`neighbors` is 10");
  expect_user_error([] { generate_graph("rmat", {{"a", 0.8}, {"b", 0.2}, {"c", 0.2}}); }, "`a` + `b` + `c` is 1.2");
}

TEST(Generators, RefuseMoreNodesThanAGraphCanHave) {
  constexpr std::int64_t kMany = 1 << 20;
  expect_user_error(
      [&] {
        generate_graph("grid", {{"rows", kMany}, {"columns", kMany}});
      },
      "grid: 1.1e+12 nodes are too many");
  expect_user_error([&] { generate_graph("tree", {{"branching", 10}, {"depth", 2000000000}}); }, "tree:", "too many");
  expect_user_error([&] { generate_graph("tree", {{"branching", kMany}, {"depth", 5}}); }, "tree:", "too many");
  expect_user_error([&] { generate_graph("barbell", {{"clique", kMaxNodes}}); }, "barbell:", "too many");
  expect_user_error([&] { generate_graph("communities", {{"communities", kMaxNodes}}); }, "communities:", "too many");
}

TEST(Generators, RefuseGraphsThatDoNotFitInMemory) {
  constexpr std::int64_t kMany = std::int64_t{1} << 30;
  expect_user_error(
      [&] {
        generate_graph("rmat", {{"scale", 30}, {"edge-factor", kMany}});
      },
      "rmat:", "GiB, more than", "[choose a smaller graph]");
  expect_user_error([&] { generate_graph("erdos-renyi", {{"nodes", kMany}, {"p", 1}}); }, "erdos-renyi:", "more than");
  expect_user_error([&] { generate_graph("sbm", {{"nodes", kMany}, {"p-in", 1}}); }, "sbm:", "more than");
  expect_user_error([&] { generate_graph("barbell", {{"clique", kMany / 2}, {"path", 0}}); }, "barbell:", "more than");
  expect_user_error([&] { generate_graph("barabasi-albert", {{"nodes", kMany}, {"attach", kMany / 2}}); }, "more than");
  expect_user_error(
      [&] {
        generate_graph("watts-strogatz", {{"nodes", kMany}, {"neighbors", kMany / 2}});
      },
      "more than");
  expect_user_error([&] { generate_graph("communities", {{"communities", 1}, {"size", kMany}}); }, "more than");
}

std::int64_t count_triangles(const Graph& graph) {
  std::int64_t triangles = 0;
  for (const Arc edge : undirected_edges(graph)) {
    for (const NodeId third : graph.out_neighbors(edge.target)) {
      triangles += third > edge.target && graph.has_arc(edge.source, third);
    }
  }
  return triangles;
}

TEST(Karate, IsThePublishedClub) {
  const AttributedGraph club = generate_graph("karate");
  EXPECT_EQ(club.graph.num_nodes(), 34);
  EXPECT_EQ(count_undirected_edges(club.graph), 78);
  EXPECT_EQ(club.graph.out_degree(33), 17);
  EXPECT_EQ(club.graph.out_degree(0), 16);
  EXPECT_EQ(club.graph.out_degree(32), 12);
  EXPECT_EQ(club.graph.out_degree(2), 10);
  EXPECT_EQ(count_triangles(club.graph), 45);
  EXPECT_EQ(connected_components(club.graph).count(), 1);
}

TEST(Karate, HasTwoFactionsOfSeventeen) {
  const Labels sides = generate_graph("karate").labels;
  EXPECT_THAT(sides.names, ElementsAre("Mr. Hi", "Officer"));
  EXPECT_EQ(std::count(sides.classes.begin(), sides.classes.end(), 0), 17);
  EXPECT_EQ(std::count(sides.classes.begin(), sides.classes.end(), 1), 17);
  EXPECT_EQ(sides.classes[0], 0);
  EXPECT_EQ(sides.classes[33], 1);
}

TEST(Path, JoinsNeighboursInARow) {
  EXPECT_THAT(undirected_edges(generate_graph("path", {{"nodes", 4}}).graph),
              ElementsAre(Arc{0, 1}, Arc{1, 2}, Arc{2, 3}));
  EXPECT_EQ(generate_graph("path", {{"nodes", 1}}).graph.num_arcs(), 0);
}

TEST(Ring, ClosesThePath) {
  EXPECT_THAT(undirected_edges(generate_graph("ring", {{"nodes", 4}}).graph),
              ElementsAre(Arc{0, 1}, Arc{0, 3}, Arc{1, 2}, Arc{2, 3}));
}

TEST(Star, JoinsNodeZeroToAllOthers) {
  EXPECT_THAT(undirected_edges(generate_graph("star", {{"nodes", 4}}).graph),
              ElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{0, 3}));
}

TEST(Grid, JoinsNodesToTheRightAndBelow) {
  EXPECT_THAT(undirected_edges(generate_graph("grid", {{"rows", 2}, {"columns", 3}}).graph),
              ElementsAre(Arc{0, 1}, Arc{0, 3}, Arc{1, 2}, Arc{1, 4}, Arc{2, 5}, Arc{3, 4}, Arc{4, 5}));
  EXPECT_EQ(count_undirected_edges(generate_graph("grid", {{"rows", 300}, {"columns", 200}}).graph),
            300 * 199 + 299 * 200);
  EXPECT_EQ(count_undirected_edges(generate_graph("grid", {{"rows", 1}, {"columns", 1}}).graph), 0);
}

TEST(Tree, GivesEveryInnerNodeItsChildren) {
  EXPECT_THAT(undirected_edges(generate_graph("tree", {{"branching", 2}, {"depth", 2}}).graph),
              ElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{1, 3}, Arc{1, 4}, Arc{2, 5}, Arc{2, 6}));
  EXPECT_EQ(generate_graph("tree", {{"branching", 3}, {"depth", 4}}).graph.num_nodes(), 121);
  EXPECT_EQ(generate_graph("tree", {{"branching", 1}, {"depth", 9}}).graph.num_nodes(), 10);
  EXPECT_EQ(generate_graph("tree", {{"depth", 0}}).graph.num_nodes(), 1);
}

TEST(Barbell, JoinsTwoCliquesByAPath) {
  EXPECT_THAT(undirected_edges(generate_graph("barbell", {{"clique", 3}, {"path", 1}}).graph),
              ElementsAre(Arc{0, 1}, Arc{0, 2}, Arc{1, 2}, Arc{2, 3}, Arc{3, 4}, Arc{4, 5}, Arc{4, 6}, Arc{5, 6}));
  EXPECT_EQ(count_undirected_edges(generate_graph("barbell", {{"clique", 3}, {"path", 0}}).graph), 7);
  EXPECT_EQ(count_undirected_edges(generate_graph("barbell", {{"clique", 1}, {"path", 0}}).graph), 1);
}

TEST(Communities, WithoutRewiringAreAConnectedCavemanGraph) {
  const AttributedGraph made = generate_graph("communities", {{"communities", 3}, {"size", 3}, {"rewire", 0}});
  EXPECT_THAT(undirected_edges(made.graph), ElementsAre(Arc{0, 2}, Arc{0, 8}, Arc{1, 2}, Arc{2, 3}, Arc{3, 5},
                                                        Arc{4, 5}, Arc{5, 6}, Arc{6, 8}, Arc{7, 8}));
  EXPECT_THAT(made.labels.classes, ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2));
  EXPECT_THAT(made.labels.names, ElementsAre("0", "1", "2"));
}

TEST(Communities, OfOneAreAClique) {
  EXPECT_EQ(count_undirected_edges(generate_graph("communities", {{"communities", 1}, {"size", 5}}).graph), 10);
}

TEST(Communities, RewireTheGivenShareOfEdgesAndKeepTheirNumber) {
  const GeneratorParameters sizes = {{"communities", 50}, {"size", 20}, {"rewire", 0.2}};
  const AttributedGraph made = generate_graph("communities", sizes, 4);
  EXPECT_EQ(count_undirected_edges(made.graph), 50 * 190);
  std::int64_t across = 0;
  for (const Arc edge : undirected_edges(made.graph)) {
    across += made.labels.classes[edge.source] != made.labels.classes[edge.target];
  }
  EXPECT_NEAR(static_cast<double>(across), 50 + 0.2 * 0.98 * 50 * 190, 200);
}

TEST(ErdosRenyi, HasTheExpectedNumberOfEdges) {
  const Graph graph = generate_graph("erdos-renyi", {{"nodes", 3000}, {"p", 0.02}}, 7).graph;
  const double pairs = 3000.0 * 2999 / 2;
  EXPECT_NEAR(static_cast<double>(count_undirected_edges(graph)), 0.02 * pairs, 5 * std::sqrt(0.02 * 0.98 * pairs));
}

TEST(ErdosRenyi, DrawsEveryPairEquallyOften) {
  std::map<Arc, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const Arc edge : undirected_edges(generate_graph("erdos-renyi", {{"nodes", 5}, {"p", 0.3}}, seed).graph))
      ++counts[edge];
  }
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [edge, count] : counts) EXPECT_NEAR(count, 1200, 150) << edge.source << " " << edge.target;
}

TEST(ErdosRenyi, IsEmptyOrCompleteAtTheLimits) {
  EXPECT_EQ(generate_graph("erdos-renyi", {{"nodes", 50}, {"p", 0}}).graph.num_arcs(), 0);
  EXPECT_EQ(generate_graph("erdos-renyi", {{"nodes", 50}, {"p", 1}}).graph.num_arcs(), 50 * 49);
  EXPECT_EQ(generate_graph("erdos-renyi", {{"nodes", 50}, {"p", 5e-324}}).graph.num_arcs(), 0);
}

TEST(Sbm, DividesNodesIntoEqualBlocks) {
  const AttributedGraph made = generate_graph("sbm", {{"nodes", 10}, {"blocks", 4}, {"p-in", 1}, {"p-out", 0}});
  EXPECT_THAT(made.labels.classes, ElementsAre(0, 0, 1, 1, 1, 2, 2, 3, 3, 3));
  EXPECT_THAT(made.labels.names, ElementsAre("0", "1", "2", "3"));
  const Components parts = connected_components(made.graph);
  EXPECT_TRUE(std::equal(parts.of_node.begin(), parts.of_node.end(), made.labels.classes.begin()));
  EXPECT_EQ(count_undirected_edges(made.graph), 1 + 3 + 1 + 3);
}

TEST(Sbm, DrawsInsideAndBetweenBlocksWithTheirOwnProbabilities) {
  const AttributedGraph made =
      generate_graph("sbm", {{"nodes", 2000}, {"blocks", 4}, {"p-in", 0.1}, {"p-out", 0.01}}, 3);
  double inside = 0;
  double between = 0;
  for (const Arc edge : undirected_edges(made.graph)) {
    ++(made.labels.classes[edge.source] == made.labels.classes[edge.target] ? inside : between);
  }
  EXPECT_NEAR(inside / (4 * 500.0 * 499 / 2), 0.1, 0.003);
  EXPECT_NEAR(between / (6 * 500.0 * 500), 0.01, 0.0006);
}

TEST(BarabasiAlbert, AddsTheGivenNumberOfEdgesPerNode) {
  const Graph graph = generate_graph("barabasi-albert", {{"nodes", 2000}, {"attach", 4}}, 2).graph;
  EXPECT_EQ(count_undirected_edges(graph), 4 + (2000 - 5) * 4);
  EXPECT_EQ(connected_components(graph).count(), 1);
  EdgeId largest = 0;
  for (NodeId v = 0; v < 2000; ++v) {
    EXPECT_GE(graph.out_degree(v), v == 0 || v > 4 ? 4 : 1);
    largest = std::max(largest, graph.out_degree(v));
  }
  EXPECT_GT(largest, 60) << "hubs grow with the square root of the nodes";
}

TEST(BarabasiAlbert, StartsFromAStar) {
  EXPECT_EQ(count_undirected_edges(generate_graph("barabasi-albert", {{"nodes", 4}, {"attach", 3}}).graph), 3);
}

TEST(WattsStrogatz, WithoutRewiringIsARingLattice) {
  const Graph graph = generate_graph("watts-strogatz", {{"nodes", 10}, {"neighbors", 4}, {"rewire", 0}}).graph;
  EXPECT_THAT(graph.out_neighbors(0), ElementsAre(1, 2, 8, 9));
  EXPECT_THAT(graph.out_neighbors(5), ElementsAre(3, 4, 6, 7));
}

TEST(WattsStrogatz, RewiresTheGivenShareOfEdgesAndKeepsTheirNumber) {
  const Graph graph = generate_graph("watts-strogatz", {{"nodes", 5000}, {"neighbors", 6}, {"rewire", 0.3}}, 6).graph;
  EXPECT_EQ(count_undirected_edges(graph), 15000);
  double moved = 0;
  for (const Arc edge : undirected_edges(graph)) {
    const NodeId apart = edge.target - edge.source;
    moved += std::min(apart, 5000 - apart) > 3;
  }
  EXPECT_NEAR(moved / 15000, 0.3, 0.02);
}

TEST(WattsStrogatz, LeavesACompleteGraphAsItIs) {
  EXPECT_EQ(
      count_undirected_edges(generate_graph("watts-strogatz", {{"nodes", 5}, {"neighbors", 4}, {"rewire", 1}}).graph),
      10);
}

TEST(Rmat, HasTheGivenSize) {
  const Graph graph = generate_graph("rmat", {{"scale", 12}, {"edge-factor", 8}}, 1).graph;
  EXPECT_EQ(graph.num_nodes(), 4096);
  EXPECT_LE(count_undirected_edges(graph), 8 * 4096);
  EXPECT_GT(count_undirected_edges(graph), 5 * 4096) << "few edges are drawn twice";
}

TEST(Rmat, DrawsQuartersWithTheGivenProbabilities) {
  // With edge factor 1 and 2^15 nodes few edges repeat; the first bit of an id says in which half it is.
  const Graph graph =
      generate_graph("rmat", {{"scale", 15}, {"edge-factor", 1}, {"a", 0.4}, {"b", 0.1}, {"c", 0.2}}, 5).graph;
  double low = 0;
  double mixed = 0;
  double high = 0;
  for (const Arc edge : undirected_edges(graph)) {
    ++(edge.target < 1 << 14 ? low : edge.source < 1 << 14 ? mixed : high);
  }
  const double all = low + mixed + high;
  EXPECT_NEAR(low / all, 0.4, 0.02);
  EXPECT_NEAR(mixed / all, 0.3, 0.02);
  EXPECT_NEAR(high / all, 0.3, 0.02);
}

TEST(Rmat, IsUniformWithEqualQuarters) {
  const GeneratorParameters equal = {{"scale", 10}, {"edge-factor", 16}, {"a", 0.25}, {"b", 0.25}, {"c", 0.25}};
  const Graph graph = generate_graph("rmat", equal, 5).graph;
  for (NodeId v = 0; v < 1024; ++v) {
    EXPECT_GT(graph.out_degree(v), 5);
    EXPECT_LT(graph.out_degree(v), 75);
  }
}

TEST(Rmat, OfScaleOneHasTwoNodes) {
  EXPECT_EQ(generate_graph("rmat", {{"scale", 1}}, 1).graph.num_nodes(), 2);
  EXPECT_EQ(generate_graph("rmat", {{"scale", 3}, {"a", 1}, {"b", 0}, {"c", 0}}, 1).graph.num_arcs(), 0)
      << "all were self loops";
}

TEST(Rmat, IsTheSameOnAnyNumberOfThreadsWhereThereAreManyBlocks) {
  std::set<std::string> prints;
  for (const int threads : {1, 2, 4}) {
    const ThreadScope use(threads);
    prints.insert(generate_graph("rmat", {{"scale", 14}, {"edge-factor", 16}}, 9).graph.fingerprint());
  }
  EXPECT_EQ(prints.size(), 1u);
}

}  // namespace
}  // namespace gir
