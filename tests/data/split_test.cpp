#include "gir/data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gir/core/parallel.h"
#include "gir/data/dataset.h"
#include "gir/graph/components.h"
#include "gir/graph/generators.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using Pairs = std::set<NodePair>;

Pairs as_set(const std::vector<NodePair>& pairs) { return {pairs.begin(), pairs.end()}; }

Pairs edges_of(const Graph& graph) {
  Pairs edges;
  for (const Arc edge : undirected_edges(graph)) edges.insert({edge.source, edge.target});
  return edges;
}

bool disjoint(const Pairs& a, const Pairs& b) {
  return std::none_of(a.begin(), a.end(), [&](NodePair pair) { return b.contains(pair); });
}

TEST(PartSizes, AreExactAndAddUp) {
  const auto sizes = [](std::size_t count, Task task) {
    const PartSizes s = part_sizes(count, default_shares(task));
    return std::tuple(s.train, s.valid, s.test);
  };
  EXPECT_EQ(sizes(399, Task::kNodeClassification), std::tuple(239u, 80u, 80u));
  EXPECT_EQ(sizes(10, Task::kNodeClassification), std::tuple(6u, 2u, 2u));
  EXPECT_EQ(sizes(2148, Task::kLinkPrediction), std::tuple(1718u, 215u, 215u));
  EXPECT_EQ(sizes(10, Task::kLinkPrediction), std::tuple(8u, 1u, 1u));
  EXPECT_EQ(sizes(1, Task::kLinkPrediction), std::tuple(1u, 0u, 0u));
  for (std::size_t count = 0; count < 500; ++count) {
    const PartSizes s = part_sizes(count, default_shares(Task::kNodeClassification));
    EXPECT_EQ(s.train + s.valid + s.test, count);
  }
}

TEST(PartSizes, RefuseInvalidShares) {
  expect_user_error([] { part_sizes(10, {.train = 0.5, .valid = 0.5, .test = 0.5}); }, "their sum 1");
  expect_user_error([] { part_sizes(10, {.train = 1.5, .valid = -0.25, .test = -0.25}); }, "at least 0");
}

TEST(NodeSplit, HasEveryLabelledNodeOnce) {
  AttributedGraph graph = generate_graph("karate");
  graph.labels.classes[5] = Labels::kNone;
  const NodeSplit split = split_nodes(graph, 7, default_shares(Task::kNodeClassification));
  std::multiset<NodeId> nodes(split.train.begin(), split.train.end());
  nodes.insert(split.valid.begin(), split.valid.end());
  nodes.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(nodes.size(), 33u);
  EXPECT_EQ(std::set<NodeId>(nodes.begin(), nodes.end()).size(), 33u);
  EXPECT_FALSE(nodes.contains(5));
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
}

TEST(NodeSplit, ThatIsOfficialKeepsLabelledNodesOnly) {
  AttributedGraph graph = generate_graph("karate");
  graph.split = NodeSplit{.train = {4, 2, 5}, .valid = {7}, .test = {9, 8}};
  graph.labels.classes[2] = Labels::kNone;
  EXPECT_EQ(official_node_split(graph).train, (std::vector<NodeId>{4, 5}));
  EXPECT_EQ(official_node_split(graph).test, graph.split->test);
  graph.labels.classes[7] = Labels::kNone;
  expect_user_error([&] { official_node_split(graph); }, "no labelled nodes");
}

TEST(NodeSplit, DependsOnTheSeedAlone) {
  const AttributedGraph graph = generate_graph("karate");
  const auto train = [&](std::uint64_t seed) {
    return split_nodes(graph, seed, default_shares(Task::kNodeClassification)).train;
  };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

TEST(NodeSplit, RefusesWhatCannotBeClassified) {
  AttributedGraph graph = generate_graph("karate");
  const auto split = [&] { split_nodes(graph, 0, default_shares(Task::kNodeClassification)); };
  graph.labels = labels_from_integers(std::vector<std::int64_t>(34, 1));
  expect_user_error(split, "at least two classes");
  graph.labels = {};
  expect_user_error(split, "needs labels");
  graph.labels.names = {"a", "b"};
  graph.labels.classes = Array<std::int32_t>(34, Labels::kNone);
  graph.labels.classes[0] = 0;
  graph.labels.classes[1] = 1;
  expect_user_error(split, "2 labelled nodes are too few");
}

/// Checks everything that a split for link prediction must satisfy: parts that do not overlap, a message graph of the
/// training edges alone, and negatives that are not positives of any part.
void check_link_split(const Graph& graph, const PairSplit& split) {
  const Pairs all = edges_of(graph);
  const Pairs train = as_set(split.train_positives());
  const Pairs valid = as_set(split.valid().positives);
  const Pairs test = as_set(split.test().positives);
  EXPECT_EQ(train.size() + valid.size() + test.size(), all.size());
  EXPECT_TRUE(disjoint(train, valid) && disjoint(train, test) && disjoint(valid, test));
  EXPECT_EQ(edges_of(split.message_graph()), train) << "the message graph must have the training edges and no others";
  EXPECT_EQ(split.message_graph().num_nodes(), graph.num_nodes());

  const Pairs valid_negatives = as_set(split.valid().negatives);
  const Pairs test_negatives = as_set(split.test().negatives);
  EXPECT_EQ(valid_negatives.size(), valid.size());
  EXPECT_EQ(test_negatives.size(), test.size());
  EXPECT_TRUE(disjoint(valid_negatives, test_negatives));
  EXPECT_TRUE(disjoint(valid_negatives, all) && disjoint(test_negatives, all));

  const auto negatives = split.train_negatives(3, 5);
  EXPECT_EQ(as_set(negatives).size(), train.size());
  EXPECT_TRUE(disjoint(as_set(negatives), train));
  for (const NodePair pair : negatives) EXPECT_LT(pair.first, pair.second);
}

TEST(LinkSplit, LeaksNothingOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph =
        generate_graph("erdos-renyi", {{"nodes", std::int64_t{30 + 5 * static_cast<int>(seed)}}}, seed).graph;
    if (graph.num_arcs() < 40) continue;
    check_link_split(graph, PairSplit::of_links(graph, seed, default_shares(Task::kLinkPrediction)));
  }
}

TEST(LinkSplit, KeepsTheDirectionsOfTrainingEdges) {
  Rng rng(0, "test/directed");
  std::vector<Arc> arcs;
  for (int i = 0; i < 200; ++i) {
    arcs.push_back({static_cast<NodeId>(rng.below(40)), static_cast<NodeId>(rng.below(40))});
  }
  const Graph graph = build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)),
                                   .weights = {},
                                   .directed = true,
                                   .names = NodeNames::positions(40)});
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  check_link_split(graph, split);
  EXPECT_TRUE(split.message_graph().directed());
  for (NodeId u = 0; u < 40; ++u) {
    for (const NodeId v : split.message_graph().out_neighbors(u)) EXPECT_TRUE(graph.has_arc(u, v));
  }
  // Both directions of a pair are in the same part: one would otherwise leak the other.
  for (const NodePair pair : split.test().positives) {
    EXPECT_FALSE(split.message_graph().has_arc(pair.first, pair.second));
    EXPECT_FALSE(split.message_graph().has_arc(pair.second, pair.first));
  }
}

TEST(LinkSplit, OmitsSelfLoops) {
  Graph graph = generate_graph("karate").graph;
  std::vector<Arc> arcs = {{3, 3}, {9, 9}};
  for (const Arc edge : undirected_edges(graph)) arcs.push_back(edge);
  graph =
      build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)), .weights = {}, .names = NodeNames::positions(34)});
  const PairSplit split = PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction));
  check_link_split(graph, split);
  EXPECT_TRUE(split.message_graph().self_loops().empty());
}

TEST(LinkSplit, TrainingNegativesMayBeHeldOutEdges) {
  // Avoiding held-out edges would leak them; in a dense graph some must be drawn.
  const Graph graph = generate_graph("erdos-renyi", {{"nodes", std::int64_t{24}}, {"p", 0.5}}, 3).graph;
  const PairSplit split = PairSplit::of_links(graph, 0, default_shares(Task::kLinkPrediction));
  const Pairs held_out = as_set(split.test().positives);
  bool drawn = false;
  for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
    drawn = drawn || !disjoint(as_set(split.train_negatives(epoch, 0)), held_out);
  }
  EXPECT_TRUE(drawn);
}

TEST(LinkSplit, TrainingNegativesChangeWithTheEpochOnly) {
  const PairSplit split = PairSplit::of_links(generate_graph("karate").graph, 0, default_shares(Task::kLinkPrediction));
  EXPECT_EQ(split.train_negatives(4, 9), split.train_negatives(4, 9));
  EXPECT_NE(split.train_negatives(4, 9), split.train_negatives(5, 9));
  EXPECT_NE(split.train_negatives(4, 9), split.train_negatives(4, 8));
}

TEST(LinkSplit, IsTheSameOnAnyNumberOfThreads) {
  const Graph graph = generate_graph("barabasi-albert", {{"nodes", std::int64_t{3000}}}, 1).graph;
  std::set<std::string> prints;
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    prints.insert(PairSplit::of_links(graph, 1, default_shares(Task::kLinkPrediction)).fingerprint());
  }
  EXPECT_EQ(prints.size(), 1u);
  prints.insert(PairSplit::of_links(graph, 2, default_shares(Task::kLinkPrediction)).fingerprint());
  EXPECT_EQ(prints.size(), 2u);
}

TEST(LinkSplit, RefusesGraphsThatCannotBeSplit) {
  const auto split = [](const Graph& graph) { PairSplit::of_links(graph, 0, default_shares(Task::kLinkPrediction)); };
  expect_user_error([&] { split(generate_graph("path", {{"nodes", std::int64_t{4}}}).graph); }, "3 edges are too few");
  std::vector<Arc> complete;
  for (NodeId u = 0; u < 8; ++u) {
    for (NodeId v = u + 1; v < 8; ++v) complete.push_back({u, v});
  }
  const Graph dense = build_graph(
      {.arcs = Array<Arc>(std::span<const Arc>(complete)), .weights = {}, .names = NodeNames::positions(8)});
  expect_user_error([&] { split(dense); }, "validation and test negatives", "only 0 are left");
}

void check_node_pair_split(const AttributedGraph& graph, const PairSplit& split) {
  const Components components = connected_components(graph.graph);
  const auto inside = [&](NodePair pair) { return components.of_node[pair.first] == components.of_node[pair.second]; };
  const auto alike = [&](NodePair pair) {
    return graph.labels.classes[pair.first] == graph.labels.classes[pair.second];
  };
  for (const auto* positives : {&split.train_positives(), &split.valid().positives, &split.test().positives}) {
    for (const NodePair pair : *positives) EXPECT_TRUE(inside(pair) && alike(pair));
  }
  for (const auto* negatives : {&split.valid().negatives, &split.test().negatives}) {
    for (const NodePair pair : *negatives) EXPECT_TRUE(inside(pair) && !alike(pair));
  }
  for (const NodePair pair : split.train_negatives(0, 0)) EXPECT_TRUE(inside(pair));
  EXPECT_TRUE(disjoint(as_set(split.train_negatives(0, 0)), as_set(split.train_positives())));
  EXPECT_EQ(split.message_graph().fingerprint(), graph.graph.fingerprint());
}

TEST(NodePairSplit, StaysInsideComponents) {
  const AttributedGraph graph = generate_graph("communities");
  const PairSplit split = PairSplit::of_node_pairs(graph, 2, default_shares(Task::kNodePairClassification));
  check_node_pair_split(graph, split);
}

TEST(NodePairSplit, SamplesFromTooManyPositivesWithoutUsingTheOthersAsNegatives) {
  const AttributedGraph graph = generate_graph("karate");
  const PairSplit split = PairSplit::of_node_pairs(graph, 2, default_shares(Task::kNodePairClassification), 100);
  EXPECT_EQ(split.train_positives().size(), 80u);
  check_node_pair_split(graph, split);
}

TEST(NodePairSplit, OmitsNodesWithoutALabel) {
  AttributedGraph graph = generate_graph("karate");
  graph.labels.classes[0] = Labels::kNone;
  const PairSplit split = PairSplit::of_node_pairs(graph, 2, default_shares(Task::kNodePairClassification));
  for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
    for (const NodePair pair : split.train_negatives(epoch, 0)) EXPECT_NE(pair.first, 0);
  }
  for (const NodePair pair : split.train_positives()) EXPECT_NE(pair.first, 0);
}

TEST(NodePairSplit, HasTheCountsOfTheEmailGraph) {
  GIR_NEEDS_DATA();
  const Dataset email = load_dataset("email", *testing::data_directory());
  const PairSplit split = PairSplit::of_node_pairs(email.data, 0, default_shares(Task::kNodePairClassification));
  EXPECT_EQ(split.train_positives().size() + split.valid().positives.size() + split.test().positives.size(), 20281u);
  check_node_pair_split(email.data, split);
}

TEST(LinkSplit, LeaksNothingOnTheRealGraphs) {
  GIR_NEEDS_DATA();
  for (const char* name : {"celegans", "ns", "pb"}) {
    const Dataset dataset = load_dataset(name, *testing::data_directory());
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Graph& graph = dataset.data.graph;
      check_link_split(graph, PairSplit::of_links(graph, seed, default_shares(Task::kLinkPrediction)));
    }
  }
}

}  // namespace
}  // namespace gir
