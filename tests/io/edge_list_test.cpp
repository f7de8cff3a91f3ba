#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/graph/statistics.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "read_graphs.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::names;
using testing::TempDir;

Graph read_text(std::string_view content, const ReadOptions& options = {}, std::string_view name = "graph.txt") {
  const TempDir dir;
  return read_graph(dir.file(name, content), options).graph;
}

TEST(EdgeList, ReadsAPath) {
  const Graph graph = read_text("0 1\n1 2\n");
  EXPECT_EQ(graph.num_nodes(), 3);
  EXPECT_EQ(graph.num_arcs(), 4);
  EXPECT_FALSE(graph.directed());
  EXPECT_TRUE(graph.has_arc(2, 1));
  EXPECT_FALSE(graph.has_arc(0, 2));
}

TEST(EdgeList, ReadsBlanksTabsAndCommasAlike) {
  const std::string print = read_text("0 1\n1 2\n").fingerprint();
  EXPECT_EQ(read_text("0\t1\n1\t2\n").fingerprint(), print);
  EXPECT_EQ(read_text("0,1\n1,2\n").fingerprint(), print);
  EXPECT_EQ(read_text("  0   1  \r\n1, 2\r\n").fingerprint(), print);
}

TEST(EdgeList, SkipsCommentsAndBlankLines) {
  EXPECT_EQ(read_text("# a comment\n% another\n\n0 1\n   \n# more\n1 2").fingerprint(),
            read_text("0 1\n1 2\n").fingerprint());
}

TEST(EdgeList, NumbersNodesByIdWhateverTheOrderOfLines) {
  const Graph graph = read_text("30 10\n20 30\n");
  EXPECT_THAT(names(graph), ::testing::ElementsAre("10", "20", "30"));
  EXPECT_EQ(graph.fingerprint(), read_text("30 20\n10 30\n").fingerprint());
}

TEST(EdgeList, KeepsSparseAndVeryLongIds) {
  EXPECT_THAT(names(read_text("7000000000000000000 5\n5 2000000000\n")),
              ::testing::ElementsAre("5", "2000000000", "7000000000000000000"));
  EXPECT_THAT(names(read_text("2147483647 0\n")), ::testing::ElementsAre("0", "2147483647"));
}

TEST(EdgeList, KeepsTextIds) {
  const Graph graph = read_text("carol bob\nalice bob\n");
  EXPECT_THAT(names(graph), ::testing::ElementsAre("alice", "bob", "carol"));
  EXPECT_EQ(graph.names().find("carol"), std::optional<NodeId>(2));
}

TEST(EdgeList, TextIdsMayHoldBlanksBetweenTabs) {
  EXPECT_THAT(names(read_text("New York\tSan Jose\nBoston\tNew York\n")),
              ::testing::ElementsAre("Boston", "New York", "San Jose"));
}

TEST(EdgeList, ReadsNumbersAsTextOnRequest) {
  EXPECT_THAT(names(read_text("007 7\n", {.text_ids = true})), ::testing::ElementsAre("007", "7"));
}

TEST(EdgeList, SkipsAHeaderLine) {
  const TempDir dir;
  const AttributedGraph read = read_graph(dir.file("a.csv", "source,target\n0,1\n1,2\n"));
  EXPECT_EQ(read.graph.fingerprint(), read_text("0 1\n1 2\n").fingerprint());
  ASSERT_EQ(read.notes.size(), 1u);
  EXPECT_NE(read.notes[0].find(":1:"), std::string::npos);
  EXPECT_EQ(read_text("from to\nann bob\n").num_nodes(), 2);
}

TEST(EdgeList, ReadsWeights) {
  const Graph graph = read_text("0 1 0.5\n1 2 2e1\n");
  ASSERT_TRUE(graph.weighted());
  EXPECT_THAT(graph.out().row_weights(1), ::testing::ElementsAre(0.5f, 20.0f));
}

TEST(EdgeList, ListingEdgesInBothDirectionsChangesNothing) {
  EXPECT_EQ(read_text("0 1 0.5\n1 0 0.5\n1 2 2\n2 1 2\n").fingerprint(), read_text("0 1 0.5\n1 2 2\n").fingerprint());
}

TEST(EdgeList, IgnoresTheEmptyDictionaryOfNetworkx) {
  EXPECT_EQ(read_text("0 1 {}\n1 2 {}\n").fingerprint(), read_text("0 1\n1 2\n").fingerprint());
}

TEST(EdgeList, CountsSelfLoopsSeparately) {
  const Graph graph = read_text("0 0\n0 1\n0 0\n");
  EXPECT_EQ(graph.num_arcs(), 2);
  EXPECT_THAT(graph.self_loops(), ::testing::ElementsAre(0));
}

TEST(EdgeList, IsDirectedByOptionOrByComment) {
  EXPECT_EQ(read_text("0 1\n1 2\n", {.directed = true}).num_arcs(), 2);
  const std::string snap = "# Directed graph (each unordered pair of nodes is saved once): x.txt\n0 1\n1 2\n";
  EXPECT_TRUE(read_text(snap).directed());
  EXPECT_FALSE(read_text(snap, {.directed = false}).directed());
}

TEST(EdgeList, KeepsNodesWithoutEdgesWhenTheirNumberIsGiven) {
  const Graph graph = read_text("0 1\n", {.num_nodes = 5});
  EXPECT_EQ(graph.num_nodes(), 5);
  expect_user_error([] { read_text("0 1\n1 5\n", {.num_nodes = 5}); }, "graph.txt:2", "\"5\"", "0 .. 4");
  expect_user_error([] { read_text("a b\n", {.num_nodes = 5}); }, "`num-nodes`");
}

TEST(EdgeList, ReadsGzip) {
  EXPECT_EQ(read_text(gzip("0 1\n1 2\n"), {}, "graph.txt.gz").fingerprint(), read_text("0 1\n1 2\n").fingerprint());
}

TEST(EdgeList, NamesTheLineThatDoesNotParse) {
  expect_user_error([] { read_text("0 1\n4 x\n"); }, "graph.txt:2:", "expected 'source target [weight]', got \"4 x\"");
  expect_user_error([] { read_text("# c\n\n0 1\n7\n"); }, "graph.txt:4:", "got \"7\"");
  expect_user_error([] { read_text("0 1\n1 2 3 4\n"); }, "graph.txt:2:");
  expect_user_error([] { read_text("0 1 2\n1 2\n"); }, "graph.txt:2:", "weight");
  expect_user_error([] { read_text("a b\na\n"); }, "graph.txt:2:");
  expect_user_error([] { read_text("0 1.5\n0 1\n1 2"); }, "graph.txt:1:");
}

TEST(EdgeList, NamesTheFirstBadLineOnAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "12345 67890\n";
  const auto bad = [&](std::int64_t line) { text[static_cast<std::size_t>((line - 1) * 12)] = 'x'; };
  bad(390'001);
  bad(200'002);
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    expect_user_error([&] { read_text(text); }, "graph.txt:200002:");
  }
}

TEST(EdgeList, RefusesNegativeAndTooLargeIds) {
  expect_user_error([] { read_text("0 1\n-4 2\n"); }, "graph.txt:2:", "\"-4\" is negative");
  expect_user_error([] { read_text("0 1\n1 99999999999999999999\n"); }, "graph.txt:2:", "too large");
}

TEST(EdgeList, ReadsWordsThatCouldBeColumnNamesAsIds) {
  EXPECT_EQ(read_text("u v\nv w\n").num_nodes(), 3);
  expect_user_error([] { read_text(",b\na,b\n", {.text_ids = true}); }, "graph.txt:1:");
}

TEST(EdgeList, ReadsTinyAndSignedWeights) { EXPECT_TRUE(read_text("0 1 1e-50\n1 2 +1.5\n").weighted()); }

TEST(EdgeList, RefusesWeightsThatAreNotNumbers) {
  expect_user_error([] { read_text("0 1 1\n1 2 nan\n"); }, "graph.txt:2:", "not a finite number");
  expect_user_error([] { read_text("0 1 1\n1 2 inf\n"); }, "graph.txt:2:", "not a finite number");
  expect_user_error([] { read_text("0 1 1\n1 2 heavy\n"); }, "graph.txt:2:", "weight \"heavy\" is not a number");
}

TEST(EdgeList, RefusesEmptyMissingAndBinaryFiles) {
  expect_user_error([] { read_text(""); }, "graph.txt: is empty");
  expect_user_error([] { read_text("# only a comment\n"); }, "has no edges");
  expect_user_error([] { read_graph(std::filesystem::path("no/such/file.txt")); }, "no/such/file.txt", "No such file");
  expect_user_error([] { read_text(std::string_view("\x7f\x45\x4c\x46\0\0\0\1", 8)); }, "is binary");
  expect_user_error(
      [] {
        read_text(
            "alice bob\nali\x01"
            "ce bob\n");
      },
      "graph.txt:2:", "control characters");
  const TempDir dir;
  expect_user_error([&] { read_graph(dir.path()); }, "is a directory");
}

TEST(EdgeList, RefusesATruncatedGzipFile) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += fmt::format("{} {}\n", i, i * 7 % 5000);
  const std::string whole = gzip(text);
  const TempDir dir;
  const auto path = dir.file("graph.txt.gz", whole.substr(0, whole.size() / 2));
  expect_user_error([&] { read_graph(path); }, "graph.txt.gz");
}

/// A graph with everything that is difficult to store in an edge list.
Graph awkward_graph(bool directed, NodeNames node_names) {
  return build_graph({.arcs = {{0, 1}, {1, 0}, {2, 2}, {1, 4}},
                      .weights = {0.1f, 0.3f, 2.0f, -1e-30f},
                      .directed = directed,
                      .names = std::move(node_names)});
}

TEST(EdgeList, ReadsBackTheGraphThatWasWritten) {
  const TempDir dir;
  const auto round_trip = [&](const Graph& graph, std::string_view name) {
    write_graph(dir / name, {.graph = graph.clone()});
    EXPECT_EQ(read_graph(dir / name).graph.fingerprint(), graph.fingerprint()) << name;
  };
  for (const bool directed : {false, true}) {
    for (const std::string_view name : {"a.txt", "a.csv", "a.tsv", "a.txt.gz", "a.csv.gz"}) {
      round_trip(awkward_graph(directed, NodeNames::positions(6)), name);
      round_trip(awkward_graph(directed, NodeNames::integers({3, 5, 70, 800, 9000, 5'000'000'000})), name);
      round_trip(awkward_graph(directed, NodeNames::strings({"from", "to", "to a b", "u", "v", "w"})), name);
    }
  }
}

TEST(EdgeList, RefusesToWriteIdsThatItWouldNotRead) {
  const TempDir dir;
  const AttributedGraph graph{.graph = awkward_graph(false, NodeNames::strings({"a", "b\tc", "d", "e", "f", "g"}))};
  expect_user_error([&] { write_graph(dir / "a.txt", graph); }, "b\\tc", ".npz");
  EXPECT_FALSE(std::filesystem::exists(dir / "a.txt"));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(EdgeList, RefusesToWriteAnUnknownEnding) {
  const TempDir dir;
  const AttributedGraph graph{.graph = read_text("0 1\n")};
  expect_user_error([&] { write_graph(dir / "a.what", graph); }, "a.what", ".npz");
}

TEST(EdgeList, DamagedFilesRaiseUserErrorsOnly) {
  std::string text = "# gir undirected graph\n# gir node 17\n0 1 0.5\n1 2 0.25\n200 3 1\n";
  const RandomStream random(1, "edge-list/attack");
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    std::string damaged = text;
    damaged[random.below(trial * 4, text.size())] = static_cast<char>(random.below(trial * 4 + 1, 256));
    damaged.resize(1 + random.below(trial * 4 + 2, text.size()));
    try {
      const Graph graph = read_text(damaged);
      EXPECT_GT(graph.num_nodes(), 0);
    } catch (const UserError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
}

TEST(EdgeList, IsTheSameGraphOnAnyNumberOfThreads) {
  std::string text;
  const RandomStream random(2, "edge-list/threads");
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    text += fmt::format("{} {}\n", random.below(2 * i, 50'000), random.below(2 * i + 1, 50'000));
  }
  const ThreadScope one(1);
  const std::string print = read_text(text).fingerprint();
  for (const int threads : {2, 3, 8}) {
    const ThreadScope scope(threads);
    EXPECT_EQ(read_text(text).fingerprint(), print);
  }
}

TEST(EdgeList, ReadsTheRealFiles) {
  GIR_NEEDS_DATA();
  const auto data = *testing::data_directory();
  const auto counts = [&](std::string_view file) {
    const GraphStatistics s = graph_statistics(read_graph(data / file).graph);
    return std::tuple(s.nodes, s.edges, s.self_loops, s.components);
  };
  EXPECT_EQ(counts("celegans/Celegans.txt"), std::tuple(297, 2148, 0, 1));
  EXPECT_EQ(counts("ns/NS.txt"), std::tuple(1461, 2742, 0, 268));
  EXPECT_EQ(counts("pb/PB.txt"), std::tuple(1222, 16714, 0, 1));
  EXPECT_EQ(counts("europe/europe-airports.edgelist"), std::tuple(399, 5995, 2, 1));
  EXPECT_EQ(counts("usa/usa-airports.edgelist"), std::tuple(1190, 13599, 0, 3));
}

}  // namespace
}  // namespace gir
