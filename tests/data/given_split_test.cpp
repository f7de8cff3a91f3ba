#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::TempDir;

const SplitShares kShares = default_shares(Task::kLinkPrediction);

ListedPairs listed(const char* where, std::vector<std::pair<NodeId, NodeId>> pairs) {
  ListedPairs list{.where = where, .items = std::move(pairs), .lines = {}};
  for (std::size_t i = 0; i < list.items.size(); ++i) list.lines.push_back(static_cast<std::int64_t>(i) + 1);
  return list;
}

/// A ring of ten nodes, its edges in three parts.
Graph ring() { return generate_graph("ring", {{"nodes", std::int64_t{10}}}).graph; }

PairLists lists_of(ListedPairs train, ListedPairs valid, ListedPairs test) {
  PairLists lists;
  lists.train = std::move(train);
  lists.valid = std::move(valid);
  lists.test = std::move(test);
  return lists;
}

PairLists ring_lists() {
  return lists_of(listed("train.txt", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}),
                  listed("valid.txt", {{6, 7}, {7, 8}}), listed("test.txt", {{8, 9}, {9, 0}}));
}

std::vector<SplitFile> files_of(const PairSplit& split) {
  const auto items = [](const std::vector<NodePair>& pairs) {
    std::vector<std::pair<NodeId, NodeId>> made;
    for (const NodePair pair : pairs) made.emplace_back(pair.first, pair.second);
    return made;
  };
  return {{.name = "train.txt", .pairs = items(split.train_positives())},
          {.name = "valid.txt", .pairs = items(split.valid().positives)},
          {.name = "valid_neg.txt", .pairs = items(split.valid().negatives)},
          {.name = "test.txt", .pairs = items(split.test().positives)},
          {.name = "test_neg.txt", .pairs = items(split.test().negatives)}};
}

/// Fingerprints of a link split and of the same split written to files and read back.
void expect_same_split(const Graph& graph) {
  const TempDir dir;
  const PairSplit split = PairSplit::of_links(graph, 3, kShares);
  write_split_files(dir.path(), files_of(split), graph.names());
  const PairSplit back = PairSplit::of_given_links(graph, read_pair_lists(dir.path(), graph.names()), 0, kShares);
  EXPECT_EQ(back.fingerprint(), split.fingerprint());
  EXPECT_EQ(back.train_positives(), split.train_positives()) << "the order matters: random draws are by position";
  EXPECT_EQ(back.train_negatives(2, 5), split.train_negatives(2, 5));
  EXPECT_TRUE(back.notes().empty());
}

TEST(GivenLinks, AreTheSplitThatWasWritten) {
  expect_same_split(generate_graph("karate").graph);
  expect_same_split(testing::build(testing::random_large_lines(200, 900, true, 1)));
}

TEST(GivenLinks, KeepIdsWithBlanksAndCommas) {
  const Graph karate = generate_graph("karate").graph;
  std::vector<std::string> names;
  for (int i = 0; i < 34; ++i) names.push_back(fmt::format("{} van der Berg, {}", "ABC"[i % 3], 100 + i));
  std::vector<Arc> arcs;
  for (const Arc edge : undirected_edges(karate)) arcs.push_back(edge);
  expect_same_split(
      build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)), .weights = {}, .names = NodeNames::strings(names)}));
}

TEST(GivenLinks, ArePartsOfTheGraph) {
  const Graph graph = ring();
  const PairSplit split = PairSplit::of_given_links(graph, ring_lists(), 0, kShares);
  EXPECT_EQ(split.train_positives().size(), 6u);
  EXPECT_EQ(split.test().positives, (std::vector<NodePair>{{8, 9}, {0, 9}}));
  EXPECT_EQ(count_undirected_edges(split.message_graph()), 6);
  EXPECT_EQ(count_undirected_edges(split.known_graph(graph)), 8) << "training and validation edges";
  for (const EvaluationPairs* part : {&split.valid(), &split.test()}) {
    ASSERT_EQ(part->negatives.size(), 2u);
    for (const NodePair pair : part->negatives) EXPECT_FALSE(graph.has_arc(pair.first, pair.second));
  }
}

TEST(GivenLinks, RefusePairsThatOccurTwice) {
  const auto split = [](const PairLists& lists) { PairSplit::of_given_links(ring(), lists, 0, kShares); };
  PairLists lists = ring_lists();
  lists.test.items.emplace_back(1, 0);
  lists.test.lines.push_back(7);
  expect_user_error([&] { split(lists); }, "test.txt:7: \"0\" and \"1\" are also at train.txt:1 [");
  lists = ring_lists();
  lists.train.items.emplace_back(2, 1);
  lists.train.lines.push_back(9);
  expect_user_error([&] { split(lists); }, "train.txt:9: \"1\" and \"2\" are also at train.txt:2 [");
  lists = ring_lists();
  lists.valid_negatives = listed("valid_neg.txt", {{0, 5}, {1, 5}});
  lists.test_negatives = listed("test_neg.txt", {{3, 9}, {5, 0}});
  expect_user_error([&] { split(lists); }, "test_neg.txt:2: \"0\" and \"5\" are also at valid_neg.txt:1 [");
}

TEST(GivenLinks, RefuseWhatDoesNotFitTheGraph) {
  const auto split = [](const PairLists& lists) { PairSplit::of_given_links(ring(), lists, 0, kShares); };
  PairLists lists = ring_lists();
  lists.train.items[3] = {3, 8};
  expect_user_error([&] { split(lists); }, "train.txt:4: \"3\" and \"8\" are not linked by an edge of the graph");
  lists = ring_lists();
  lists.test_negatives = listed("test_neg.txt", {{0, 5}, {3, 2}});
  expect_user_error([&] { split(lists); }, "test_neg.txt:2: \"2\" and \"3\" are also at train.txt:3");
  lists = ring_lists();
  lists.train.items.erase(lists.train.items.begin() + 2);
  expect_user_error([&] { split(lists); }, "train.txt: 1 edges of the graph are in no part", "joins \"2\" and \"3\"",
                    "`graph`");
  lists = ring_lists();
  lists.valid.items[1] = {4, 4};
  expect_user_error([&] { split(lists); }, "valid.txt:2: \"4\" is paired with itself");
  lists = ring_lists();
  lists.test = {};
  lists.test_negatives = listed("test_neg.txt", {{0, 5}});
  expect_user_error([&] { split(lists); }, "test_neg.txt: negatives of a part without positives");
}

TEST(GivenLinks, TakeBothDirectionsOfADirectedPairForOne) {
  const Graph graph = testing::directed(6, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  PairLists lists = lists_of(listed("train.txt", {{0, 1}, {1, 0}, {1, 2}, {2, 3}}), listed("valid.txt", {{3, 4}}),
                             listed("test.txt", {{4, 5}}));
  const PairSplit split = PairSplit::of_given_links(graph, lists, 0, kShares);
  EXPECT_EQ(split.train_positives().size(), 3u);
  EXPECT_TRUE(split.message_graph().has_arc(0, 1) && split.message_graph().has_arc(1, 0));
  EXPECT_FALSE(split.message_graph().has_arc(2, 1)) << "edges keep their direction";
  lists.train.items[1] = {0, 1};
  expect_user_error([&] { PairSplit::of_given_links(graph, lists, 0, kShares); }, "are also at train.txt:1");
}

TEST(GivenLinks, TakeValidationPairsFromTrainingWhereThereAreNone) {
  const Graph graph = generate_graph("karate").graph;
  PairLists lists = lists_of(listed("train.txt", {}), {}, {});
  for (const Arc edge : undirected_edges(graph)) lists.train.items.emplace_back(edge.source, edge.target);
  lists.test.where = "test.txt";
  for (int i = 0; i < 8; ++i) {
    lists.test.items.push_back(lists.train.items.back());
    lists.train.items.pop_back();
  }
  ASSERT_EQ(lists.train.items.size(), 70u);
  lists.train_negatives =
      listed("train_neg.txt", {{0, 9}, {0, 14}, {0, 15}, {0, 16 + 2}, {0, 18 + 2}, {0, 22}, {0, 23}, {0, 24}, {0, 25}});
  std::erase_if(lists.train_negatives.items, [&](auto pair) { return graph.has_arc(pair.first, pair.second); });
  const PairSplit split = PairSplit::of_given_links(graph, lists, 1, {.train = 0.6, .valid = 0.05, .test = 0.35});
  EXPECT_EQ(split.valid().positives.size(), 5u) << "0.05 / 0.65 of 70";
  EXPECT_EQ(split.train_positives().size(), 65u);
  ASSERT_EQ(split.valid().negatives.size(), 5u);
  for (const NodePair pair : split.valid().negatives) {
    EXPECT_EQ(std::count(lists.train_negatives.items.begin(), lists.train_negatives.items.end(),
                         std::pair(pair.first, pair.second)),
              1);
  }
  EXPECT_EQ(split.test().negatives.size(), 8u);
  ASSERT_EQ(split.notes().size(), 1u);
  EXPECT_NE(split.notes()[0].find("5 of 70 training pairs were drawn for validation"), std::string::npos);
  const auto other = PairSplit::of_given_links(graph, lists, 2, kShares);
  EXPECT_NE(split.valid().positives, other.valid().positives) << "drawn by the number of the split";
}

TEST(GivenLinks, SayThatTrainingNegativesAreNotUsed) {
  PairLists lists = ring_lists();
  lists.train_negatives = listed("train_neg.txt", {{0, 5}});
  const PairSplit split = PairSplit::of_given_links(ring(), lists, 0, kShares);
  ASSERT_EQ(split.notes().size(), 1u);
  EXPECT_TRUE(split.notes()[0].starts_with("train_neg.txt: not used")) << split.notes()[0];
}

TEST(GivenLinks, MayHaveNoTestPairs) {
  PairLists lists = ring_lists();
  lists.train.items.insert(lists.train.items.end(), {{8, 9}, {9, 0}});
  lists.train.lines = {};
  lists.test = {};
  const PairSplit split = PairSplit::of_given_links(ring(), lists, 0, kShares);
  EXPECT_TRUE(split.test().positives.empty() && split.test().negatives.empty());
}

TEST(GivenNodePairs, AreTheSplitThatWasWritten) {
  const TempDir dir;
  const AttributedGraph graph = generate_graph("communities");
  const SplitShares shares = default_shares(Task::kNodePairClassification);
  const PairSplit split = PairSplit::of_node_pairs(graph, 2, shares);
  write_split_files(dir.path(), files_of(split), graph.graph.names());
  PairLists lists = read_pair_lists(dir.path(), graph.graph.names());
  EXPECT_EQ(PairSplit::of_given_node_pairs(graph, lists, 0, shares).fingerprint(), split.fingerprint());
  std::swap(lists.test.items[0], lists.test_negatives.items[0]);
  expect_user_error([&] { PairSplit::of_given_node_pairs(graph, lists, 0, shares); },
                    "test.txt:1: ", "do not have the same label");
}

TEST(GivenNodes, AreCheckedAndSorted) {
  AttributedGraph graph = generate_graph("karate");
  const auto nodes = [](const char* where, std::vector<NodeId> items) {
    return ListedNodes{.where = where, .items = std::move(items), .lines = {}};
  };
  const SplitShares shares = default_shares(Task::kNodeClassification);
  const NodeLists lists{
      .train = nodes("train.txt", {9, 3, 5, 11, 12, 14, 20, 21}), .valid = {}, .test = nodes("test.txt", {1, 0})};
  const GivenNodeSplit given = given_node_split(graph, lists, 0, shares);
  EXPECT_EQ(given.split.test, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(given.split.valid.size(), 2u) << "0.2 / 0.8 of 8";
  EXPECT_TRUE(std::is_sorted(given.split.train.begin(), given.split.train.end()));
  EXPECT_EQ(given.notes.size(), 1u);
  expect_user_error(
      [&] {
        const NodeLists twice{.train = nodes("train.txt", {1, 2, 3}), .valid = nodes("valid.txt", {4, 3}), .test = {}};
        given_node_split(graph, twice, 0, shares);
      },
      "valid.txt: row 2: node \"3\" is also at train.txt: row 3");
  graph.labels.classes[5] = Labels::kNone;
  expect_user_error([&] { given_node_split(graph, lists, 0, shares); }, "train.txt: row 3: node \"5\" has no label");
}

TEST(SplitShares, MayLeaveNothingForTheTest) {
  const AttributedGraph graph = generate_graph("karate");
  const SplitShares shares = parse_shares("0.9, 0.1, 0");
  const PairSplit split = PairSplit::of_links(graph.graph, 0, shares);
  EXPECT_TRUE(split.test().positives.empty() && split.test().negatives.empty());
  EXPECT_EQ(split.train_positives().size() + split.valid().positives.size(), 78u);
  EXPECT_TRUE(split_nodes(graph, 0, shares).test.empty());
  EXPECT_EQ(shares_text(parse_shares("0.85,0.05,0.1")), "0.85,0.05,0.1");
}

TEST(SplitShares, AreThreeNumbersThatAddUpToOne) {
  expect_user_error([] { parse_shares("0.9,0.1"); }, "\"0.9,0.1\" are not three shares", "0.85,0.05,0.1");
  expect_user_error([] { parse_shares("a,b,c"); }, "are not three shares");
  expect_user_error([] { parse_shares("0.9,0.2,0.1"); }, "their sum 1");
  expect_user_error([] { parse_shares("0.9,0,0.1"); }, "must be positive");
  expect_user_error([] { parse_shares("80,10,10"); }, "their sum 1");
}

TEST(GivenLinks, TellTheNodesThatOnlyNegativesHave) {
  const TempDir dir;
  dir.file("train.txt", "1 2\n2 3\n3 4\n");
  dir.file("test.txt", "1 4\n");
  dir.file("test_neg.txt", "1 9\n8 9\n");
  DataRequest request;
  request.split_from = dir.path().string();
  const Dataset dataset = open_data(request);
  ASSERT_EQ(dataset.data.notes.size(), 1U);
  EXPECT_NE(dataset.data.notes[0].find("2 of 6 nodes occur in negative pairs only, such as \"9\""), std::string::npos)
      << dataset.data.notes[0];
  dir.file("test_neg.txt", "1 3\n");
  EXPECT_TRUE(open_data(request).data.notes.empty());
}

TEST(GivenLinks, FitThePublishedSplits) {
  GIR_NEEDS_DATA();
  const auto links = *testing::data_directory() / "links";
  if (!std::filesystem::exists(links)) GTEST_SKIP() << "no published splits on this machine";
  for (const char* name : {"Power", "NS", "Router"}) {
    const std::string split_file = (links / "splits" / fmt::format("{}_split_1.mat", name)).string();
    const Dataset with_graph = open_dataset((links / fmt::format("{}.mat", name)).string());
    const Graph& graph = with_graph.data.graph;
    const PairLists lists = read_pair_lists(split_file, graph.names());
    const PairSplit split = PairSplit::of_given_links(graph, lists, 0, kShares);
    EXPECT_EQ(split.train_positives().size() + split.valid().positives.size(), lists.train.items.size());
    EXPECT_EQ(split.test().negatives.size(), lists.test_negatives.items.size());
    DataRequest request;
    request.split_from = split_file;
    const Dataset alone = open_data(request);
    if (std::string(name) != "NS") {  // 128 of its nodes have no edge and are not all among the negatives
      EXPECT_EQ(alone.data.graph.fingerprint(), graph.fingerprint()) << name;
    }
    EXPECT_EQ(count_undirected_edges(alone.data.graph), count_undirected_edges(graph));
  }
}

}  // namespace
}  // namespace gir
