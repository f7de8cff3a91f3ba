#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/io/format.h"
#include "read_graphs.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::joined_notes;
using testing::names;
using testing::TempDir;

AttributedGraph read(std::string_view content, const ReadOptions& options = {}, std::string_view name = "graph.txt") {
  const TempDir dir;
  return read_graph(dir.file(name, content), options);
}

TEST(AdjacencyList, IsKnownByItsColons) {
  const AttributedGraph data = read("0: 1 2 3\n1: 0\n2: 0 3\n3: 0 2\n9:\n");
  EXPECT_THAT(names(data.graph), ElementsAre("0", "1", "2", "3", "9"));
  EXPECT_EQ(data.graph.num_arcs(), 8);
  EXPECT_THAT(joined_notes(data), HasSubstr("read as an adjacency list"));
  EXPECT_EQ(read("0 : 1, 2, 3\r\n2: 3\r\n9:\r\n").graph.fingerprint(), data.graph.fingerprint());
}

TEST(AdjacencyList, IsReadAsNetworkxWritesIt) {
  const std::string text = "#nx.py\n# GMT Mon Jan  5 10:00:00 2026\n#\n0 1 2\n1 2\n2\n7\n";
  const Graph graph = read(text, {}, "graph.adjlist").graph;
  EXPECT_THAT(names(graph), ElementsAre("0", "1", "2", "7"));
  EXPECT_EQ(graph.num_arcs(), 6);
  EXPECT_EQ(read(text, {.format = "adjacency-list"}).graph.fingerprint(), graph.fingerprint());
  EXPECT_EQ(read(text, {.directed = true}, "graph.adjlist").graph.num_arcs(), 3);
}

TEST(AdjacencyList, IsRefusedWithALinePerNeighbour) {
  const std::string text = "#x\ndora 0\nanna 2\nbob {}\ncarl {}\nbob 1\ncarl {'weight': 2}\ncarl 0\n";
  expect_user_error([&] { read(text); }, "graph.txt:4:", "neighbour", "write_edgelist");
  expect_user_error([&] { read(text, {}, "graph.adjlist"); }, "graph.adjlist:4:", "write_edgelist");
  EXPECT_EQ(read("anna 2\nbob 1\nbob 2\n").graph.num_arcs(), 6);
}

TEST(AdjacencyList, MayBePrintedByPython) {
  for (const std::string text : {"0: [1, 2]\n1: [0]\n2: []\n", "0: {1, 2}\n1: {0}\n2: {}\n"}) {
    const Graph graph = read(text).graph;
    EXPECT_THAT(names(graph), ElementsAre("0", "1", "2")) << text;
    EXPECT_EQ(graph.num_arcs(), 4) << text;
  }
}

TEST(AdjacencyList, MayHaveWords) {
  EXPECT_THAT(names(read("ann: bob cid\nbob: ann\n").graph), ElementsAre("ann", "bob", "cid"));
  EXPECT_THAT(names(read("1: 02\n", {.text_ids = true}).graph), ElementsAre("02", "1"));
}

TEST(AdjacencyList, NamesTheLineOfABadId) {
  expect_user_error([] { read("0: 1\n1: x\n"); }, "graph.txt:2:", "\"x\" is not a whole number", "`text-ids`");
  expect_user_error([] { read("0: 1\n1: -2\n"); }, "graph.txt:2:", "negative");
  expect_user_error([] { read("0 1\n,,\n", {}, "g.adjlist"); }, "g.adjlist:2:", "expected 'node: neighbours'");
  expect_user_error([] { read("0: 1\n", {.num_nodes = 5}); }, "`num-nodes`");
}

TEST(AdjacencyList, IsNoListOfEdgesWhoseIdsHaveColons) {
  EXPECT_THAT(names(read("left:1 right:2\nleft:2 right:2\nleft:1 right:3\n").graph),
              ElementsAre("left:1", "left:2", "right:2", "right:3"));
}

}  // namespace
}  // namespace gir
