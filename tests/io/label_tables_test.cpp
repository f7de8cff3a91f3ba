#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gir/io/format.h"
#include "gir/io/npy.h"
#include "gir/io/npz.h"
#include "gir/io/tables.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::TempDir;

constexpr std::int32_t kNone = Labels::kNone;

/// Nodes 5, 7 and 9.
NodeNames numbers() { return NodeNames::integers({5, 7, 9}); }
NodeNames letters() { return NodeNames::strings({"ann", "bob", "cy"}); }

Labels labels(const std::string& text, const NodeNames& names = numbers()) {
  const TempDir dir;
  return read_labels(dir.file("l.txt", text), names);
}

TEST(NodeLabels, AreReadByIdInAnyOrder) {
  for (const char* text :
       {"9 b\n5 a\n7 b\n", "9,b\n5,a\n7,b\n", "# c\nnode label\n9 b\n5 a\n7 b\n", "9\tb\n5\ta\n7\tb"}) {
    const Labels result = labels(text);
    EXPECT_THAT(result.classes.span(), ElementsAre(0, 1, 1)) << text;
    EXPECT_THAT(result.names, ElementsAre("a", "b"));
  }
}

TEST(NodeLabels, AreMissingForNodesThatDoNotOccur) {
  EXPECT_THAT(labels("9 3\n5 20\n").classes.span(), ElementsAre(1, kNone, 0));
}

TEST(NodeLabels, AreReadInNodeOrderFromOneColumn) {
  EXPECT_THAT(labels("10\n9\n10\n").classes.span(), ElementsAre(1, 0, 1));
  EXPECT_THAT(labels("label\n10\n9\n10\n").classes.span(), ElementsAre(1, 0, 1));
}

TEST(NodeLabels, HaveHeadersThatAreNumbersOrLackACell) {
  EXPECT_THAT(labels("0,1\n5,a\n7,b\n9,b\n").names, ElementsAre("a", "b")) << "as pandas names columns";
  EXPECT_THAT(labels("0,1\n5,3\n7,4\n9,4\n").names, ElementsAre("3", "4")) << "0 is no node";
  EXPECT_THAT(labels("0\n10\n9\n10\n").names, ElementsAre("9", "10")) << "a line more than nodes";
  EXPECT_THAT(labels("\"x\"\n\"5\" \"a\"\n\"7\" \"b\"\n\"9\" \"b\"\n").names, ElementsAre("a", "b"))
      << "as R writes it";
  EXPECT_THAT(labels("0,1\n1,1\n2,2\n", NodeNames::positions(3)).classes.span(), ElementsAre(0, 0, 1)) << "0 is a node";
}

TEST(NodeLabels, HaveColumnNumbersOverANodeThatComesAgain) {
  const TempDir dir;
  std::vector<std::string> notes;
  const auto path = dir.file("l.csv", "0,1\n1,4\n0,3\n2,4\n");
  EXPECT_THAT(read_labels(path, NodeNames::positions(3), {}, &notes).classes.span(), ElementsAre(0, 1, 1));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("l.csv:1: skipped as a header line, since it numbers the columns"), std::string::npos);
}

TEST(NodeLabels, HaveAHeaderWhereTheUserSaysSo) {
  const TempDir dir;
  const NodeNames names = NodeNames::positions(3);
  const auto path = dir.file("l.csv", "1,4\n0,3\n2,4\n");
  EXPECT_THAT(read_labels(path, names, {.header = HeaderLine::kYes}).classes.span(), ElementsAre(0, kNone, 1));
  const auto words = dir.file("w.csv", "cy,a\nann,b\n");
  EXPECT_THAT(read_labels(words, letters(), {.header = HeaderLine::kNo}).classes.span(), ElementsAre(1, kNone, 0));
  const auto column = dir.file("c.csv", "7\n8\n9\n7\n");
  EXPECT_THAT(read_labels(column, names, {.header = HeaderLine::kYes}).names, ElementsAre("7", "8", "9"));
  expect_user_error([&] { read_labels(column, names, {.header = HeaderLine::kNo}); }, "4 labels");
  expect_user_error([&] { read_labels(dir.file("x.csv", "7,a\n"), names); }, "no node \"7\"", "such as \"0\"");
}

TEST(NodeLabels, SayThatAFirstLineWasSkipped) {
  const TempDir dir;
  std::vector<std::string> notes;
  read_labels(dir.file("l.csv", "x5,a\n7,b\n9,a\n"), numbers(), {}, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("l.csv:1: skipped as a header line, since \"x5\" is no node"), std::string::npos) << notes[0];
}

TEST(NodeLabels, KeepAFirstLineThatIsNotAHeader) {
  EXPECT_THAT(labels("node x\nbob y\n", NodeNames::strings({"node", "bob"})).classes.span(), ElementsAre(0, 1));
  EXPECT_THAT(labels("label\nx\n", NodeNames::strings({"a", "b"})).names, ElementsAre("label", "x"));
  EXPECT_THAT(labels("name kind\nbob y\n", letters()).classes.span(), ElementsAre(kNone, 0, kNone));
}

TEST(NodeLabels, DoNotTakeAnUnknownNodeForAHeader) {
  expect_user_error([] { labels("6 a\n5 a\n"); }, "l.txt:1: ", "no node \"6\"");
  expect_user_error([] { labels("dan a\nbob b\n", letters()); }, "l.txt:1: ", "no node \"dan\"");
}

TEST(NodeLabels, RefuseUnknownAndRepeatedNodes) {
  expect_user_error([] { labels("5 a\n8 b\n"); }, "l.txt:2: ", "no node \"8\"");
  expect_user_error([] { labels("5 a\n7 b\n5 a\n"); }, "l.txt:3: ", "node \"5\" occurs a second time");
}

TEST(NodeLabels, AreOnePerNodeInASingleColumn) {
  expect_user_error([] { labels("1\n2\n"); }, "l.txt: ", "2 labels", "3 nodes");
  expect_user_error([] { labels("1\n2\n3\n4\n"); }, "l.txt: ", "4 labels", "3 nodes", "`num-nodes`");
}

TEST(NodeLabels, RefuseLinesOfOtherLengths) {
  expect_user_error([] { labels("5 a\n7\n"); }, "l.txt:2: ", "'node label'", "\"7\"");
  expect_user_error([] { labels("5 a\n7 b c\n"); }, "l.txt:2: ", "'node label'");
  expect_user_error([] { labels("5\n7 b\n9\n"); }, "l.txt:2: ", "'label'");
  expect_user_error([] { labels("5 a b\n"); }, "l.txt:1: ", "3 columns");
  expect_user_error([] { labels(""); }, "l.txt: ", "no rows");
}

TEST(NodeLabels, MayHoldBlanksBetweenCommasAndTabs) {
  EXPECT_THAT(labels("5,machine learning\n7,databases\n9,\n").names, ElementsAre("databases", "machine learning"));
  EXPECT_THAT(labels("5,machine learning\n7,databases\n9,\n").classes.span(), ElementsAre(1, 0, kNone));
}

TEST(NodeLabels, MayBeMissingInManySpellings) {
  const TempDir dir;
  for (const char* missing : {"", "NaN", "nan", "?", "NA", "N/A", "null", "None", "\\N"}) {
    std::vector<std::string> notes;
    const Labels result =
        read_labels(dir.file("l.csv", fmt::format("5,a\n7,{}\n9,b\n", missing)), numbers(), {}, &notes);
    EXPECT_THAT(result.classes.span(), ElementsAre(0, kNone, 1)) << missing;
    EXPECT_EQ(notes.size(), *missing == '\0' ? 0u : 1u) << missing;
  }
}

TEST(NodeLabels, AreMissingWhereMinusOneStandsBesideNumbersFromZero) {
  const TempDir dir;
  std::vector<std::string> notes;
  const auto read = [&](const std::string& text) {
    notes.clear();
    return read_labels(dir.file("l.csv", text), numbers(), {}, &notes);
  };
  EXPECT_THAT(read("5,0\n7,-1\n9,1\n").classes.span(), ElementsAre(0, kNone, 1));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("-1 in 1 rows stands for a missing label"), std::string::npos) << notes[0];
  EXPECT_THAT(read("5,0.0\n7,-1.0\n9,1.0\n").classes.span(), ElementsAre(0, kNone, 1)) << "as pandas writes it";
  EXPECT_THAT(read("5,1\n7,-1\n9,1\n").names, ElementsAre("-1", "1")) << "two classes";
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("the label -1 in 1 rows is read as a class"), std::string::npos) << notes[0];
  EXPECT_THAT(read("5,-2\n7,-1\n9,1\n").names, ElementsAre("-2", "-1", "1"));
  EXPECT_THAT(read("5,a\n7,-1\n9,b\n").names, ElementsAre("-1", "a", "b"));
  EXPECT_TRUE(notes.empty());
}

TEST(NodeLabels, AreFoundByIdsThatPandasWroteAsFloats) {
  EXPECT_THAT(labels("id,team\n9.0,x\n5.0,y\n7.0,x\n").classes.span(), ElementsAre(1, 0, 0));
  expect_user_error([] { labels("id,team\n9.5,x\n"); }, "l.txt:2: ", "no node \"9.5\"");
  const NodeNames texts = NodeNames::strings({"12", "12.0", "ann"});
  const TempDir dir;
  EXPECT_THAT(read_labels(dir.file("l.csv", "12.0,x\n12,y\nann,x\n"), texts).classes.span(), ElementsAre(1, 0, 0))
      << "ids that the graph has as they are stay apart";
}

TEST(NodeLabels, SayWhichLinesAreSkippedAsComments) {
  const TempDir dir;
  std::vector<std::string> notes;
  const NodeNames tags = NodeNames::strings({"#ai", "#ml", "bob"});
  read_labels(dir.file("l.csv", "node,topic\nbob,x\n#ai,y\n#ml,y\n"), tags, {}, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("l.csv:3: \"#ai,y\" is skipped as a comment, and so are 1 more lines"), std::string::npos)
      << notes[0];
  notes.clear();
  const Labels quotes = read_labels(dir.file("l.csv", "node,topic\nbob,x\n\"#ai\",y\n\"#ml\",y\n"), tags, {}, &notes);
  EXPECT_THAT(quotes.classes.span(), ElementsAre(1, 1, 0));
  EXPECT_TRUE(notes.empty());
}

TEST(NodeLabels, MayBeQuotedAndSeparatedBySemicolons) {
  const Labels result = labels("\"id\";\"team\"\n\"5\";\"red; dark\"\n\"7\";\"blue\"\n\"9\";\"red; dark\"\n");
  EXPECT_THAT(result.names, ElementsAre("blue", "red; dark"));
  EXPECT_THAT(result.classes.span(), ElementsAre(1, 0, 1));
}

TEST(NodeLabels, HaveAHeaderWhoseFirstWordIsNoNode) {
  EXPECT_THAT(labels("who,team\nann,x\nbob,y\ncy,x\n", letters()).names, ElementsAre("x", "y"));
  EXPECT_THAT(labels("label,node\nx,5\ny,7\n").classes.span(), ElementsAre(0, 1, kNone));
}

TEST(NodeLabels, AreTheChosenColumnOfSeveral) {
  const TempDir dir;
  const auto path = dir.file("l.csv", "Id,Label,age,club\n5,Ann,30,red\n9,Bob,31,blue\n");
  EXPECT_THAT(read_labels(path, numbers(), {.columns = "node=Id,label=club"}).classes.span(), ElementsAre(1, kNone, 0));
  EXPECT_THAT(read_labels(path, numbers(), {.columns = "node=1,label=4"}).classes.span(), ElementsAre(1, kNone, 0));
  EXPECT_THAT(read_labels(path, numbers(), {.columns = "label=club"}).classes.span(), ElementsAre(1, kNone, 0));
  EXPECT_THAT(labels("id,age,class\n5,30,x\n7,31,y\n9,32,x\n").names, ElementsAre("x", "y"));
  expect_user_error([&] { read_labels(path, numbers(), {.columns = "label=team"}); }, "no column \"team\"", "\"club\"");
  expect_user_error([] { labels("id,age,pay\n5,30,1\n7,31,2\n"); }, "l.txt:1: ", "\"id\", \"age\", \"pay\"",
                    "`columns` node=id,label=pay");
}

TEST(NodeLabels, AreReadFromNpyAndNpz) {
  const TempDir dir;
  const std::vector<std::int32_t> values = {4, -1, 2};
  write_npy(dir / "l.npy", npy_view(std::span<const std::int32_t>(values), {3}));
  EXPECT_THAT(read_labels(dir / "l.npy", numbers()).classes.span(), ElementsAre(1, kNone, 0));
  expect_user_error([&] { read_labels(dir / "l.npy", NodeNames::positions(4)); }, "l.npy: ", "3 labels", "4 nodes");
  write_npz(dir / "l.npz", {{"labels", npy_view(std::span<const std::int32_t>(values), {3})}});
  EXPECT_THAT(read_labels(dir / "l.npz", numbers()).classes.span(), ElementsAre(1, kNone, 0));
}

TEST(NodeLabels, OfTheRealGraphsAreRead) {
  GIR_NEEDS_DATA();
  const auto data = *testing::data_directory();
  const Graph usa = read_graph(data / "usa" / "usa-airports.edgelist").graph;
  const Labels classes = read_labels(data / "usa" / "labels-usa-airports.txt", usa.names());
  EXPECT_EQ(classes.num_classes(), 4);
  EXPECT_EQ(std::count(classes.classes.begin(), classes.classes.end(), kNone), 0);
  const Graph email = read_graph(data / "email" / "email.txt").graph;
  EXPECT_EQ(read_labels(data / "email" / "email_labels.txt", email.names()).num_classes(), 42);
}

TEST(NodeLabels, ThatDifferInCaseOnlyAreTold) {
  const TempDir dir;
  std::vector<std::string> notes;
  const Labels result = read_labels(dir.file("l.csv", "5,Red\n7,red\n9,blue\n"), numbers(), {}, &notes);
  EXPECT_EQ(result.names.size(), 3U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("\"Red\" and \"red\" are two classes [write them alike"), std::string::npos) << notes[0];
}

TEST(NodeLabels, OfJsonAndSpreadsheetsAreRefused) {
  expect_user_error([] { labels("{\"5\": \"a\", \"7\": \"b\"}"); }, "l.txt: is JSON", "[write it as a table");
  expect_user_error([] { labels("PK\x03\x04..."); }, "l.txt: is a zip archive or a spreadsheet", "CSV");
}

}  // namespace
}  // namespace gir
