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

AttributedGraph read(std::string_view content, const ReadOptions& options = {}, std::string_view name = "graph.csv") {
  const TempDir dir;
  return read_graph(dir.file(name, content), options);
}

TEST(EdgeHeader, OfColumnNumbersIsSkippedWhereTheseAreNoNodes) {
  for (const std::string text :
       {"0,1\n5,6\n6,7\n7,5\n", "0;1\n5;6\n6;7\n7;5\n", "0,1,2\n5,6,1\n6,7,3\n7,5,3\n", "1,2\n5,6\n6,7\n7,5\n"}) {
    const AttributedGraph data = read(text);
    EXPECT_THAT(names(data.graph), ElementsAre("5", "6", "7")) << text;
    EXPECT_THAT(joined_notes(data), HasSubstr("graph.csv:1: skipped as a header line")) << text;
    EXPECT_THAT(joined_notes(data), HasSubstr("[`header` no reads it as an edge]")) << text;
  }
}

TEST(EdgeHeader, OfColumnNumbersIsSkippedOverWordsAndDecimals) {
  const AttributedGraph words = read("0,1,2\nann,bob,0.5\nbob,cid,1.5\n");
  EXPECT_THAT(names(words.graph), ElementsAre("ann", "bob", "cid"));
  EXPECT_TRUE(words.graph.weighted());
  const AttributedGraph numbers = read("0,1,2\n0,1,0.5\n1,2,1.0\n2,0,2.0\n");
  EXPECT_EQ(numbers.graph.num_nodes(), 3);
  EXPECT_THAT(numbers.graph.out().row_weights(0), ElementsAre(0.5F, 2.0F)) << "2 above is no weight";
  EXPECT_THAT(joined_notes(numbers), HasSubstr("graph.csv:1: skipped as a header line"));
}

TEST(EdgeHeader, OfColumnNumbersThatAreNodesIsSaidToBeReadAsAnEdge) {
  const std::string path = "0,1\n1,2\n2,3\n3,4\n";
  const AttributedGraph data = read(path);
  EXPECT_EQ(data.graph.num_nodes(), 5);
  EXPECT_THAT(joined_notes(data), HasSubstr("graph.csv:1: \"0\", \"1\" are read as an edge"));
  EXPECT_THAT(joined_notes(data), HasSubstr("[`header` yes skips it, no confirms the edge]"));
  EXPECT_EQ(read(path, {.header = HeaderLine::kYes}).graph.num_nodes(), 4);
  EXPECT_EQ(joined_notes(read(path, {.header = HeaderLine::kNo})), "");
  EXPECT_EQ(joined_notes(read("0 1\n1 2\n2 3\n", {}, "graph.txt")), "") << "pandas separates by commas";
  EXPECT_EQ(joined_notes(read("# mine\n0,1\n1,2\n2,3\n")), "") << "pandas writes no comments";
  EXPECT_EQ(joined_notes(read("0,1\n1,2\n1,0\n")), "") << "the edge is there in any case";
}

TEST(EdgeHeader, OfOtherNumbersIsReadWithANote) {
  const AttributedGraph data = read("2019,2020\n5,6\n6,7\n7,5\n");
  EXPECT_EQ(data.graph.num_nodes(), 5);
  EXPECT_THAT(joined_notes(data), HasSubstr("\"2019\", \"2020\" are read as an edge, although they may be a header"));
}

TEST(EdgeHeader, OfWordsThatBeginWithDigitsIsSkipped) {
  const AttributedGraph data = read("1st,2nd\n5,6\n6,7\n");
  EXPECT_EQ(data.graph.num_nodes(), 3);
  EXPECT_THAT(joined_notes(data), HasSubstr("graph.csv:1: skipped as a header line"));
  expect_user_error([] { read("id,2020\n5,6\n6,7\n"); }, "graph.csv:1:", "`header` yes skips it");
}

TEST(EdgeHeader, MayFollowExcelsLineAboutTheSeparator) {
  for (const std::string text : {"sep=;\nsource;target\na;b\nb;c\n", "sep=,\r\nsource,target\r\na,b\r\nb,c\r\n",
                                 "\"sep=;\"\na;b\nb;c\n", "\xEF\xBB\xBFSEP=\t\na\tb\nb\tc\n"}) {
    EXPECT_THAT(names(read(text).graph), ElementsAre("a", "b", "c")) << text;
  }
  EXPECT_THAT(joined_notes(read("sep=;\nsource;target\na;b\nb;c\n")), HasSubstr("graph.csv:2: skipped"));
}

TEST(EdgeHeader, MayEndLikeThoseOfOldMacs) {
  EXPECT_THAT(names(read("source,target\ra,b\rb,c\r").graph), ElementsAre("a", "b", "c"));
  EXPECT_EQ(read("0 1\r1 2\r2 3", {}, "graph.txt").graph.num_nodes(), 4);
  expect_user_error([] { read("0 1\r1 x\r", {}, "graph.txt"); }, "graph.txt:2:", "\"1 x\"");
}

TEST(EdgeHeader, OverIdsThatPandasWroteAsFloats) {
  const AttributedGraph data = read("source,target\n12.0,7.0\n7.0,3.0\n");
  EXPECT_THAT(names(data.graph), ElementsAre("3", "7", "12"));
  EXPECT_THAT(joined_notes(data), HasSubstr("12.0 as 12 [`text-ids` keeps them as they are]"));
  EXPECT_THAT(names(read("source,target\n12.0,7\n7.0,3\n").graph), ElementsAre("3", "7", "12"));
  EXPECT_THAT(names(read("source,target\n12.0,7.0\n", {.text_ids = true}).graph), ElementsAre("12.0", "7.0"));
  expect_user_error([] { read("source,target\n12.0,7.0\n7.5,3.0\n"); },
                    "graph.csv:3:", "\"7.5\" is not a whole number");
}

}  // namespace
}  // namespace gir
