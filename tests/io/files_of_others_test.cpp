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

TEST(FilesOfOthers, ThatAreDrawnTablesAreRefused) {
  for (const std::string text :
       {" a | b \n---+---\n 1 | 2\n(1 row)\n", "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n",
        "| source | target |\n|:-------|-------:|\n| a | b |\n| b | c |\n"}) {
    expect_user_error([&] { read(text, {}, "table.txt"); }, "table.txt: is a table drawn with lines", "CSV");
  }
}

TEST(FilesOfOthers, ThatAreListsOfPythonAreRefused) {
  expect_user_error([] { read("(0, 1)\n(1, 2)\n"); }, "a list of pairs in brackets");
  expect_user_error([] { read("[0, 1],\n[1, 2],\n"); }, "a list of pairs in brackets");
  EXPECT_EQ(read("(a) (b)\n(b) (c)\n(c) (a)\n", {}, "graph.txt").graph.num_nodes(), 3);
}

TEST(FilesOfOthers, ThatAreMatricesOfNumbersAreRefused) {
  for (const std::string text :
       {"0 1 1\n1 0 0\n1 0 0\n", "0,1,1,0\n1,0,0,0\n1,0,0,1\n0,0,1,0\n", "0,2.5,1\n2.5,0,0\n1,0,0\n",
        "\"V1\" \"V2\" \"V3\"\n\"1\" 0 1 1\n\"2\" 1 0 0\n\"3\" 1 0 0\n"}) {
    expect_user_error([&] { read(text); }, "looks like an adjacency matrix", "one edge per line");
  }
  EXPECT_EQ(read("0 1 1\n1 2 1\n0 2 1\n").graph.num_arcs(), 6) << "a triangle with weights";
  EXPECT_EQ(read("source,target,weight\n0,1,1\n1,0,1\n1,1,0\n").graph.num_nodes(), 2) << "the header says what it is";
}

TEST(FilesOfOthers, WithMarksBetweenTheEndsAreRefusedWithTheColumnsToChoose) {
  expect_user_error([] { read("a -> b\nb -> c\n"); }, "`columns`", "source=1,target=3");
  EXPECT_EQ(read("a -> b\nb -> c\n", {.columns = "source=1,target=3"}).graph.num_nodes(), 3);
}

TEST(FilesOfOthers, HaveNoWeightsInRowNumbersAndTimes) {
  for (const std::string text :
       {"source,target,Unnamed: 0\na,b,0\nb,c,1\n", "a_id,b_id,x\na,b,1217567877\nb,c,1217573801\n"}) {
    const AttributedGraph data = read(text);
    EXPECT_FALSE(data.graph.weighted()) << text;
    EXPECT_THAT(joined_notes(data), HasSubstr("columns not used")) << text;
  }
}

TEST(FilesOfOthers, MayBeginWithATitle) {
  const AttributedGraph data = read("edges\n1,2\n2,3\n");
  EXPECT_THAT(names(data.graph), ElementsAre("1", "2", "3"));
  EXPECT_THAT(joined_notes(data), HasSubstr("graph.csv:1: skipped as a header line"));
}

TEST(FilesOfOthers, MayEndTheirLinesWithCrAndTheLastWithLf) {
  EXPECT_THAT(names(read("source,target\ra,b\rb,c\n").graph), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names(read("a,b\r\n").graph), ElementsAre("a", "b"));
}

TEST(FilesOfOthers, WithIdsThatDifferByBlanksOnlyAreToldApart) {
  EXPECT_THAT(joined_notes(read("source,target\n\"ann \",bob\nann,cid\n")),
              HasSubstr("\"ann \" and \"ann\" are two nodes"));
  EXPECT_THAT(joined_notes(read("source,target\nann\xC2\xA0,bob\nann,cid\n")), HasSubstr("are two nodes"));
  EXPECT_THAT(joined_notes(read("source,target\n\"ann \",bob\nbob,cid\n")), ::testing::Not(HasSubstr("two nodes")));
}

TEST(FilesOfOthers, ThatARoundingProgramWroteAreTold) {
  const AttributedGraph data = read("source,target\n1.23457E+15,2\n2,3\n");
  EXPECT_THAT(joined_notes(data), HasSubstr("\"1.23457E+15\" looks like a whole number that a program abbreviated"));
  EXPECT_THAT(joined_notes(read("source,target\nann,1e+05\nann,3\n")), HasSubstr("options(scipen = 999)"));
}

TEST(FilesOfOthers, MayEndWithEmptyColumns) {
  EXPECT_THAT(names(read("1,2,\n2,3,\n").graph), ElementsAre("1", "2", "3"));
  EXPECT_THAT(names(read("source,target,\n1,2,\n2,3,\n").graph), ElementsAre("1", "2", "3"));
}

}  // namespace
}  // namespace gir
