#include "gir/io/node_lists.h"

#include <gtest/gtest.h>

#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;
using testing::TempDir;
using Pairs = std::vector<std::pair<NodeId, NodeId>>;

const NodeNames& people() {
  static const NodeNames names = NodeNames::strings({"ann", "bob", "cid"});
  return names;
}

TEST(NodeLists, FindANodeByItsIdOrRefuse) {
  EXPECT_EQ(find_node(people(), "bob"), 1);
  expect_user_error([] { find_node(people(), "bo"); }, "the graph has no node \"bo\"");
}

TEST(NodeLists, HaveOneIdPerLine) {
  const TempDir dir;
  EXPECT_EQ(read_node_list(dir.file("n.txt", "# whom\ncid\n\nann\n"), people()), (std::vector<NodeId>{2, 0}));
  expect_user_error([&] { read_node_list(dir.file("n.txt", "ann\nbobby\n"), people()); }, "n.txt:2:", "\"bobby\"");
  expect_user_error([&] { read_node_list(dir.file("n.txt", "ann\nbob\nann\n"), people()); }, "n.txt:3:", "line 1");
  expect_user_error([&] { read_node_list(dir.file("n.txt", "# none\n"), people()); }, "n.txt", "names no nodes");
}

TEST(NodeLists, MayHaveQuotesAroundIdsAndCommasInside) {
  const TempDir dir;
  const NodeNames names = NodeNames::strings({"Doe, A.", "Roe"});
  EXPECT_EQ(read_node_list(dir.file("n.txt", "\"Roe\"\nDoe, A.\n"), names), (std::vector<NodeId>{1, 0}));
  EXPECT_EQ(read_node_pairs(dir.file("p.txt", "\"Doe, A.\",Roe\n"), names), (Pairs{{0, 1}}));
}

TEST(NodePairs, HaveTwoIdsPerLineSeparatedByATabCommaOrBlanks) {
  const TempDir dir;
  EXPECT_EQ(read_node_pairs(dir.file("p.txt", "ann bob\nann,cid\ncid\tbob\n"), people()),
            (Pairs{{0, 1}, {0, 2}, {2, 1}}));
  EXPECT_EQ(read_node_pairs(dir.file("p.txt", "\"ann\",\"bob\"\nann;cid\n\"cid\" bob\n"), people()),
            (Pairs{{0, 1}, {0, 2}, {2, 1}}));
  expect_user_error([&] { read_node_pairs(dir.file("p.txt", "ann bob\nann\n"), people()); }, "p.txt:2:", "two ids");
  expect_user_error([&] { read_node_pairs(dir.file("p.txt", "ann bob\nann dan\n"), people()); }, "p.txt:2:", "dan");
  expect_user_error([&] { read_node_pairs(dir.file("p.txt", "from,to\n"), people()); }, "p.txt", "no pairs");
}

TEST(NodePairs, MayHaveAHeaderButNoNumbersThatAreNotNodes) {
  const TempDir dir;
  EXPECT_EQ(read_node_pairs(dir.file("p.csv", "source,target\nann,bob\n"), people()), (Pairs{{0, 1}}));
  const NodeNames numbers = NodeNames::positions(5);
  EXPECT_EQ(read_node_pairs(dir.file("p.csv", "source,target\n3,4\n"), numbers), (Pairs{{3, 4}}));
  EXPECT_EQ(read_node_pairs(dir.file("p.csv", "person,colleague\n3,4\n"), numbers), (Pairs{{3, 4}}));
  expect_user_error([&] { read_node_pairs(dir.file("p.csv", "7,8\n3,4\n"), numbers); }, "p.csv:1:", "no node \"7\"");
}

TEST(NodePairs, SayThatAHeaderWasSkipped) {
  const TempDir dir;
  const auto read = [&](std::string_view text) {
    return read_node_pair_lines(dir.file("p.csv", text), NodeNames::positions(5)).notes;
  };
  ASSERT_EQ(read("# mine\nperson,colleague\n3,4\n").size(), 1u);
  EXPECT_NE(read("# mine\nperson,colleague\n3,4\n")[0].find("p.csv:2: \"person\", \"colleague\" skipped"),
            std::string::npos);
  EXPECT_TRUE(read("3,4\n").empty());
}

TEST(NodeLists, NameTheRemedyForAHeader) {
  const TempDir dir;
  expect_user_error([&] { read_node_list(dir.file("n.txt", "node\nann\n"), people()); }, "n.txt:1:", "\"node\"",
                    "remove the line if it names the columns");
}

TEST(NodeLists, MayHaveIdsThatPandasWroteAsFloats) {
  const TempDir dir;
  const NodeNames numbers = NodeNames::integers({3, 12});
  EXPECT_EQ(read_node_list(dir.file("n.txt", "12.0\n3.0\n"), numbers), (std::vector<NodeId>{1, 0}));
  EXPECT_EQ(read_node_pairs(dir.file("p.csv", "12.0,3\n"), numbers), (Pairs{{1, 0}}));
  expect_user_error([&] { read_node_list(dir.file("n.txt", "12.5\n"), numbers); }, "no node \"12.5\"");
}

TEST(NodePairs, OfUnknownNodesOnTheFirstLineAreNoHeader) {
  const TempDir dir;
  expect_user_error([&] { read_node_pairs(dir.file("p.txt", "dan eve\nann bob\n"), people()); },
                    "p.txt:1:", "no node \"dan\"");
}

}  // namespace
}  // namespace gir
