#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/graph/statistics.h"
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

/// The path a - b - c.
std::string path_print() { return read("a b\nb c\n", {}, "graph.txt").graph.fingerprint(); }

TEST(EdgeTable, ReadsQuotedIdsWithSeparatorsAndQuotesInside) {
  const AttributedGraph data = read("source,target,weight\n\"Smith, J.\",\"O\"\"Neil\",2.5\nBob,\"Smith, J.\",1\n");
  EXPECT_THAT(names(data.graph), ElementsAre("Bob", "O\"Neil", "Smith, J."));
  EXPECT_TRUE(data.graph.weighted());
}

TEST(EdgeTable, ReadsQuotesThatBeginFarBelow) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += fmt::format("person {},person {}\n", i, i + 1);
  EXPECT_EQ(read(text + "\"person 1, junior\",person 1\n").graph.num_nodes(), 102);
}

TEST(EdgeTable, SkipsLineBreaksInsideQuotesOfOtherColumns) {
  const AttributedGraph data = read("from,to,remark\na,b,\"two\nlines, \"\"quoted\"\"\"\nb,c,\n");
  EXPECT_EQ(data.graph.fingerprint(), path_print());
  EXPECT_THAT(joined_notes(data), HasSubstr("not used: \"remark\""));
  expect_user_error([] { read("from,to,remark\na,b,\"two\nlines\"\nb\n"); }, "graph.csv:4:", "1 cells");
}

TEST(EdgeTable, ReadsQuotedNumbersAsNumbers) {
  EXPECT_EQ(read("\"from\",\"to\"\n\"1\",\"2\"\n\"2\",\"10\"\n").graph.fingerprint(),
            read("1,2\n2,10\n").graph.fingerprint());
}

TEST(EdgeTable, ReadsColumnsThatPandasNumberedFromZero) {
  const AttributedGraph data = read(",0,1,2\n0,10,11,0.5\n1,11,12,0.5\n2,12,10,0.5\n3,12,13,0.5\n");
  EXPECT_THAT(names(data.graph), ElementsAre("10", "11", "12", "13"));
  EXPECT_EQ(data.graph.num_arcs(), 8);
}

TEST(EdgeTable, RefusesAnAdjacencyMatrixWithNames) {
  testing::expect_user_error([] { read(",a,b,c\na,0,1,1\nb,1,0,0\nc,1,0,0\n"); }, "looks like a matrix",
                             "one edge per line");
}

TEST(EdgeTable, ReadsSemicolonsTabsPipesAndBlanks) {
  EXPECT_EQ(read("a;b\nb;c\n").graph.fingerprint(), path_print());
  EXPECT_EQ(read("a\tb\nb\tc\n").graph.fingerprint(), path_print());
  EXPECT_EQ(read("a|b\nb|c\n").graph.fingerprint(), path_print());
  EXPECT_EQ(read("\"a\" \"b\"\n\"b\" \"c\"\n").graph.fingerprint(), path_print());
  EXPECT_THAT(names(read("Smith, J.;Doe, A.\nDoe, A.;Roe, R.\n").graph),
              ElementsAre("Doe, A.", "Roe, R.", "Smith, J."));
}

TEST(EdgeTable, ReadsDecimalCommasBetweenSemicolons) {
  const Graph graph = read("from;to;weight\n0;1;0,5\n1;2;2\n").graph;
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(0.5F, 2.0F));
}

TEST(EdgeTable, ReadsByteOrderMarksWindowsLineEndsAndUtf16) {
  EXPECT_EQ(read("\xEF\xBB\xBFsource,target\r\na,b\r\nb,c\r\n").graph.fingerprint(), path_print());
  std::string wide = "\xFF\xFE";
  for (const char c : std::string_view("source\ttarget\r\na\tb\r\nb\tc\r\n")) wide += {c, '\0'};
  EXPECT_EQ(read(wide).graph.fingerprint(), path_print());
  expect_user_error([] { read(std::string_view("\xFF\xFE\x00\xD8x", 5)); }, "not valid UTF-16", "[save it as UTF-8]");
}

TEST(EdgeTable, SaysThatIdsAreNotUtf8) {
  EXPECT_THAT(joined_notes(read("M\xFCller,b\nb,c\n")), HasSubstr("not UTF-8, such as \"M\\xfcller\""));
  EXPECT_EQ(joined_notes(read("M\xC3\xBCller,b\nb,c\n")), "");
}

TEST(EdgeTable, NeverTakesAHeaderForAnEdge) {
  for (const std::string header :
       {"source,target", "Source,Target", "from,to", "src,dst", "u,v", "node1,node2", "name_a,name_b", "person,knows",
        "\"source\",\"target\"", "FromNodeId,ToNodeId", "user_id,friend_id", ":START_ID,:END_ID", "0,1", "V1,V2"}) {
    const AttributedGraph text = read(header + "\nalice,bob\nbob,carol\ncarol,alice\nalice,dora\n");
    EXPECT_THAT(names(text.graph), ElementsAre("alice", "bob", "carol", "dora")) << header;
    EXPECT_THAT(joined_notes(text), HasSubstr("graph.csv:1: skipped as a header line")) << header;
    if (header == "0,1") continue;
    const AttributedGraph numbers = read(header + "\n10,20\n20,30\n30,10\n10,40\n");
    EXPECT_THAT(names(numbers.graph), ElementsAre("10", "20", "30", "40")) << header;
  }
}

TEST(EdgeTable, KnowsAHeaderByTheNumbersUnderTheThirdColumn) {
  EXPECT_EQ(read("anything,else,strength\nalice,bob,3\nbob,carol,1\n").graph.num_nodes(), 3);
}

TEST(EdgeTable, TakesAFirstEdgeForAnEdgeWhereItsNodesOccurAgain) {
  EXPECT_EQ(read("alice,bob\nbob,carol\ncarol,dora\n").graph.num_nodes(), 4);
  const AttributedGraph data = read("u,v\nv,w\nw,x\n");
  EXPECT_EQ(data.graph.num_nodes(), 4);
  EXPECT_THAT(joined_notes(data), HasSubstr("\"u\", \"v\" are read as an edge, since they occur again below"));
}

TEST(EdgeTable, SaysWhatItDecidedWhereAHeaderAndAnEdgeLookTheSame) {
  const AttributedGraph pairs = read("ann,bob\ncid,dan\neve,fay\n");
  EXPECT_EQ(pairs.graph.num_nodes(), 6);
  EXPECT_THAT(joined_notes(pairs), HasSubstr("although they may be a header [`header` yes skips it]"));
  const AttributedGraph skipped = read("gibt,nimmt\nann,bob\nbob,cid\n");
  EXPECT_EQ(skipped.graph.num_nodes(), 3);
  EXPECT_THAT(joined_notes(skipped), HasSubstr("[`header` no reads it as an edge]"));
}

TEST(EdgeTable, FollowsTheSettingHeader) {
  EXPECT_EQ(read("ann,bob\ncid,dan\neve,fay\n", {.header = HeaderLine::kYes}).graph.num_nodes(), 4);
  EXPECT_EQ(read("gibt,nimmt\nann,bob\nbob,cid\n", {.header = HeaderLine::kNo}).graph.num_nodes(), 5);
  EXPECT_EQ(read("0,1\n5,6\n6,7\n", {.header = HeaderLine::kYes}).graph.num_nodes(), 3);
  EXPECT_EQ(read("0,1\n5,6\n6,7\n", {.header = HeaderLine::kNo}).graph.num_nodes(), 5);
}

TEST(EdgeTable, SkipsALineThatCountsNodesAndEdges) {
  const AttributedGraph data = read("4 3\n0 1\n1 2\n2 3\n", {}, "graph.txt");
  EXPECT_EQ(data.graph.fingerprint(), read("0 1\n1 2\n2 3\n").graph.fingerprint());
  EXPECT_THAT(joined_notes(data), HasSubstr("graph.txt:1: read as the numbers of nodes and edges"));
  EXPECT_EQ(read("4 3\n0 1\n1 2\n2 3\n", {.header = HeaderLine::kNo}, "graph.txt").graph.num_nodes(), 5);
  EXPECT_EQ(read("4 3\n0 1\n1 2\n", {}, "graph.txt").graph.num_nodes(), 5);
}

TEST(EdgeTable, ReadsTheColumnsThatWereChosen) {
  const std::string text = "id,who,whom,since,strength\n1,a,b,2001,5\n2,b,c,2002,7\n";
  const Graph by_name = read(text, {.columns = "source=who,target=whom,weight=strength"}).graph;
  EXPECT_THAT(names(by_name), ElementsAre("a", "b", "c"));
  EXPECT_THAT(by_name.out().row_weights(1), ElementsAre(5.0F, 7.0F));
  EXPECT_EQ(read(text, {.columns = "source=2,target=3,weight=5"}).graph.fingerprint(), by_name.fingerprint());
  EXPECT_EQ(read(text, {.columns = "target=whom, source=who"}).graph.fingerprint(), path_print());
  const std::string bare = "x|a|b\ny|b|c\n";
  EXPECT_EQ(read(bare, {.columns = "source=2,target=3"}).graph.fingerprint(), path_print());
}

TEST(EdgeTable, RefusesColumnsThatAreNotThere) {
  const std::string text = "who,whom\na,b\nb,c\n";
  expect_user_error([&] { read(text, {.columns = "source=who,target=where"}); }, "graph.csv:1: ", "no column \"where\"",
                    "\"who\", \"whom\"");
  expect_user_error([&] { read(text, {.columns = "source=1,target=3"}); }, "no column \"3\"");
  expect_user_error([&] { read(text, {.columns = "source=who"}); }, "only one end");
  expect_user_error([&] { read(text, {.columns = "sauce=who"}); }, "\"sauce\"", "known: source, target, weight");
  expect_user_error([&] { read(text, {.columns = "who"}); }, "does not name a column");
  expect_user_error([&] { read(text, {.columns = "label=whom"}); }, "has no labels", "`labels`");
}

TEST(EdgeTable, FindsTheEndsOfEdgesByTheirNamesInWideTables) {
  EXPECT_EQ(read("id,source,target\n1,a,b\n2,b,c\n").graph.fingerprint(), path_print());
  EXPECT_EQ(read("kind,source_id,target_id,source_name,target_name\nx,a,b,A,B\nx,b,c,B,C\n").graph.fingerprint(),
            path_print());
  EXPECT_EQ(read(":START_ID(Person),since,:END_ID(Person),:TYPE\na,2000,b,KNOWS\nb,2001,c,KNOWS\n").graph.fingerprint(),
            path_print());
  const AttributedGraph timed = read("from,to,year\n0,1,1999\n1,2,2001\n");
  EXPECT_FALSE(timed.graph.weighted());
  EXPECT_THAT(joined_notes(timed), HasSubstr("not used: \"year\""));
}

TEST(EdgeTable, RefusesToGuessWhichColumnsAreTheEnds) {
  expect_user_error([] { read("id,author,journal,pages\n1,a,b,5\n2,b,c,7\n"); },
                    "graph.csv:1: ", "\"id\", \"author\", \"journal\", \"pages\"", "`columns` source=NAME");
  expect_user_error([] { read("id,author,pages\n1,ann,5\n2,bob,7\n"); }, "which are the two ends");
  expect_user_error([] { read("ann,knows,bob\nbob,likes,cid\n"); }, "\"bob\" is not a number", "`columns`");
  expect_user_error([] { read("1,2,3,4,5\n2,3,4,5,6\n"); }, "5 columns and no header");
}

TEST(EdgeTable, SkipsTheRowNumbersOfPandasAndR) {
  for (const std::string_view text :
       {",source,target,weight\n0,a,b,1\n1,b,c,1\n", "Unnamed: 0,x,y,weight\n0,a,b,1\n1,b,c,1\n",
        "\"x\" \"y\" \"weight\"\n\"1\" \"a\" \"b\" 1\n\"2\" \"b\" \"c\" 1\n"}) {
    EXPECT_EQ(read(text).graph.fingerprint(), read("a b 1\nb c 1\n", {}, "g.txt").graph.fingerprint()) << text;
  }
  EXPECT_EQ(read(",0,1\n0,5,6\n1,6,7\n").graph.fingerprint(), read("5 6\n6 7\n").graph.fingerprint());
}

TEST(EdgeTable, ReadsTablesOfGephi) {
  const std::string header = "Source,Target,Type,Id,Label,timeset,Weight\n";
  const AttributedGraph directed = read(header + "a,b,Directed,0,,,2.0\nb,c,Directed,1,,,1.0\n");
  EXPECT_TRUE(directed.graph.directed());
  EXPECT_TRUE(directed.graph.weighted());
  EXPECT_FALSE(read(header + "a,b,Undirected,0,,,2.0\nb,c,Undirected,1,,,1.0\n").graph.directed());
  const std::string mixed = header + "a,b,Directed,0,,,2.0\nb,c,Undirected,1,,,1.0\n";
  expect_user_error([&] { read(mixed); }, "directed and undirected edges", "`directed`");
  EXPECT_TRUE(read(mixed, {.directed = true}).graph.directed());
}

TEST(EdgeTable, ReadsTheDictionariesOfNetworkx) {
  const Graph graph = read("0 1 {'weight': 4}\n1 2 {'color': 'red', 'weight': 0.5}\n", {}, "g.edgelist").graph;
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(4.0F, 0.5F));
  EXPECT_FALSE(read("a b {'color': 'a {b'}\nb c {}\n", {}, "g.edgelist").graph.weighted());
  expect_user_error([] { read("a b {'weight': 4}\nb c {}\n", {}, "g.edgelist"); }, "g.edgelist:2:", "no weight");
}

TEST(EdgeTable, ReadsSeveralAttributesOfNetworkx) {
  const std::string_view text =
      "0 21 {'weight': 0.5, 'kind': 'x, {y}'}\n0 7 {'kind': \"it's\", 'weight': np.float64(2.0)}\n";
  const AttributedGraph data = read(text, {}, "g.edgelist");
  EXPECT_THAT(names(data.graph), ElementsAre("0", "7", "21"));
  EXPECT_THAT(data.graph.out().row_weights(0), ElementsAre(2.0F, 0.5F));
  EXPECT_THAT(joined_notes(data), HasSubstr("weights are \"weight\", attributes of edges that are not used: \"kind\""));
  const AttributedGraph words = read("a,b,{'n': 1, 'm': \"'weight': 3\"}\nb,c,{'n': 2, 'm': ''}\n", {}, "g.csv");
  EXPECT_THAT(names(words.graph), ElementsAre("a", "b", "c"));
  EXPECT_FALSE(words.graph.weighted());
  EXPECT_THAT(read("0 1 {}\n1 2 {'a': 1, 'b': 2}\n", {}, "g.txt").graph.num_arcs(), 4);
}

TEST(EdgeTable, TakesWeightsFromAnAttributeThatIsChosen) {
  const std::string_view text = "0 1 {'cost': 4, 'len': 1}\n1 2 {'cost': 3, 'len': 2}\n";
  EXPECT_THAT(read(text, {.columns = "weight=len"}).graph.out().row_weights(1), ElementsAre(1.0F, 2.0F));
  expect_user_error([&] { read(text, {.columns = "weight=w"}); }, "no attribute \"w\"", "\"cost\", \"len\"");
  expect_user_error([] { read("0 1 {}\n1 2 {'weight': 2}\n"); }, ":1:", "has no weight, other edges have one");
}

TEST(EdgeTable, IsNoFileOfLabels) {
  for (const std::string_view text : {"id,label\n0,1\n1,1\n", "node\tclass\nann\tx\nbob\ty\n"}) {
    expect_user_error([&] { read(text); }, ":1: ", "as a file of labels has them", "`labels`");
    EXPECT_EQ(read(text, {.columns = "source=1,target=2", .header = HeaderLine::kYes}).graph.num_arcs() > 0, true);
  }
}

TEST(EdgeTable, HasItsEndsInTwoColumns) {
  expect_user_error([] { read("a,b\nb,c\n", {.columns = "source=1,target=1"}); }, "the same column");
  const std::string notes = joined_notes(read("source,target,source\n1,2,3\n2,4,5\n"));
  EXPECT_THAT(notes, HasSubstr("edges join \"source\" (number 1) and \"target\""));
  EXPECT_THAT(notes, HasSubstr("not used: \"source\" (number 3)"));
}

TEST(EdgeTable, HonoursTheHeaderOfKonect) {
  const AttributedGraph foodweb = read("% asym posweighted\n% 2 3 3\n1 2  1.5\n2 3  0.25\n", {}, "out.foodweb");
  EXPECT_TRUE(foodweb.graph.directed());
  EXPECT_TRUE(foodweb.graph.weighted());
  EXPECT_FALSE(read("% sym unweighted\n1 2\n2 3\n", {}, "out.x").graph.directed());
  EXPECT_FALSE(read("% asym posweighted\n1 2 3\n", {.directed = false}, "out.x").graph.directed());
  const AttributedGraph unweighted = read("% asym unweighted\n1 2 1 1082040961\n2 3 1 1082040962\n", {}, "out.x");
  EXPECT_FALSE(unweighted.graph.weighted());
  EXPECT_THAT(joined_notes(unweighted), HasSubstr("not used: number 3, number 4"));
  EXPECT_TRUE(read("% sym positive\n1 2 4 1082040961\n2 3 1 1082040962\n", {}, "out.x").graph.weighted());
  expect_user_error([] { read("% asym dynamic\n1 2 1 5\n", {}, "out.x"); }, "out.x:1:", "over time");
}

TEST(EdgeTable, KeepsTheTwoSidesOfABipartiteGraphOfKonectApart) {
  const AttributedGraph data = read("% bip unweighted\n1 1\n1 2\n2 1\n", {}, "out.actors");
  EXPECT_THAT(names(data.graph), ElementsAre("left:1", "left:2", "right:1", "right:2"));
  EXPECT_TRUE(data.graph.self_loops().empty());
  EXPECT_THAT(joined_notes(data), HasSubstr("bipartite"));
}

TEST(EdgeTable, IgnoresTheTimeInTheFourthColumnWithANote) {
  const AttributedGraph data = read("1 2 0.5 1082040961\n2 3 1 1082040962\n", {}, "a.edges");
  EXPECT_TRUE(data.graph.weighted());
  EXPECT_THAT(joined_notes(data), HasSubstr("weights are number 3; columns not used: number 4"));
}

TEST(EdgeTable, SaysWhatMayNotBeMeant) {
  EXPECT_THAT(joined_notes(read("01001,01003\n01003,7\n")),
              HasSubstr("01001 as 1001 [`text-ids` keeps leading zeros]"));
  EXPECT_THAT(joined_notes(read("1 2 1217567877\n2 3 1217573801\n", {}, "sx.txt")), HasSubstr("looks like times"));
  EXPECT_THAT(joined_notes(read("from,to\na,b\nb,NULL\nc,NULL\n")), HasSubstr("\"NULL\" is read as a node"));
  EXPECT_EQ(joined_notes(read("1 2 0.5\n2 30 1\n", {}, "g.txt")), "");
}

TEST(EdgeTable, NamesTheLineOfAMissingValue) {
  expect_user_error([] { read("1,2\n3,,4\n"); }, "graph.csv:2:");
  expect_user_error([] { read("1\t2\n2\t3\n\\N\t4\n"); }, "graph.csv:3:", "a missing value [remove the line]");
  expect_user_error([] { read("from,to,x\n1,2,a\nNULL,3,b\n"); }, "graph.csv:3:", "a missing value");
  expect_user_error([] { read("from,to\na,b\n,c\n"); }, "graph.csv:3:", "is empty");
  expect_user_error([] { read("from,to,weight\na,b,1\nb,c,\n"); }, "graph.csv:3:", "has no weight", "`columns`");
  expect_user_error([] { read("from,to\na,b\n\"b,c\n"); }, "graph.csv:3:");
  expect_user_error([] { read("from,to,kind\n1,2,x\n3,y,x\n"); }, "graph.csv:3:", "\"y\"", "`text-ids`");
}

TEST(EdgeTable, ReadsOtherFormatsByTheirContent) {
  const std::string mtx = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
  EXPECT_EQ(read(mtx, {}, "a.edges").graph.fingerprint(), read(mtx, {}, "a.mtx").graph.fingerprint());
  EXPECT_EQ(
      read("Creator \"me\"\ngraph\n[\n node [ id 1 ]\n node [ id 2 ] edge [ source 1 target 2 ] ]", {}, "a.gml_new")
          .graph.num_nodes(),
      2);
}

TEST(EdgeTable, RefusesFilesOfOtherProgramsWithARemedy) {
  expect_user_error([] { read("PK\x03\x04...", {}, "a.zip"); }, "a zip archive", "[unpack it");
  expect_user_error([] { read("BZh91AY", {}, "a.tar.bz2"); }, "bzip2", "tar xf");
  expect_user_error([] { read("<?xml version='1.0'?><net></net>", {}, "a.xml"); }, "XML", "GraphML");
  expect_user_error([] { read("{\"vertices\": []}", {}, "a.txt"); }, "JSON", "GraphML");
  expect_user_error([] { read("digraph g { a -> b; }", {}, "a.dot"); }, "DOT");
  expect_user_error([] { read("CREATE TABLE edges (a int);\n", {}, "a.txt"); }, "SQL");
}

TEST(EdgeTable, SkipsTheEmptyRowsOfSpreadsheets) {
  EXPECT_EQ(read("source,target,,\n1,2,,\n2,3,,\n,,,\n,,,\n", {}, "a.csv").graph.num_nodes(), 3);
  EXPECT_EQ(read(";;\nvon;nach;\na;b;\n;;\nb;c;\n", {}, "a.csv").graph.num_nodes(), 3);
}

TEST(EdgeTable, RefusesASecondLineOfNames) {
  expect_user_error([] { read(",e,e,x\n,source,target,weight\n0,5,6,1\n1,6,7,2\n", {}, "a.csv"); },
                    "a.csv:2: is a second line of names", "[remove");
}

TEST(EdgeTable, RefusesToGuessWhereTheFirstOfFourColumnsCountsTheRows) {
  expect_user_error([] { read("0,7,8,1\n1,8,9,2\n2,9,7,1\n", {}, "a.csv"); }, "the first counts the rows",
                    "source=2,target=3,weight=4");
  EXPECT_EQ(read("0,7,8,1\n1,8,9,2\n2,9,7,1\n", {.columns = "source=2,target=3"}, "a.csv").graph.num_nodes(), 3);
}

TEST(EdgeTable, TellsWhereTheFirstOfThreeColumnsCountsTheLines) {
  EXPECT_THAT(joined_notes(read("0,7,8\n1,8,9\n2,9,7\n3,7,5\n4,5,9\n", {}, "a.csv")),
              HasSubstr("the first column counts the lines"));
}

TEST(EdgeTable, TellsTimesInTheThirdColumnOfThreeLinesToo) {
  EXPECT_THAT(joined_notes(read("1 2 1217567877\n2 3 1217573801\n3 1 1217606247\n", {}, "a.txt")),
              HasSubstr("looks like times"));
}

TEST(EdgeTable, ReadsTheIdSpacesOfNeo4jAsTheTwoSidesOfABipartiteGraph) {
  const AttributedGraph data =
      read(":START_ID(Person),role,:END_ID(Movie),:TYPE\n1,Neo,1,IN\n2,Tri,1,IN\n", {}, "a.csv");
  EXPECT_EQ(data.graph.num_nodes(), 3);
  EXPECT_TRUE(data.graph.names().find("left:1"));
  EXPECT_TRUE(data.graph.names().find("right:1"));
  EXPECT_EQ(read(":START_ID(P),:END_ID(P)\n1,2\n2,1\n", {}, "a.csv").graph.num_nodes(), 2);
}

TEST(EdgeTable, DamagedTablesRaiseUserErrorsOnly) {
  const std::string text = "id;from;to;weight;note\n1;\"a;b\";c;0,5;\"x\ny\"\n2;c;\"d\"\"\";1;\n3;d;e;2;z\n";
  const RandomStream random(1, "edge-table/attack");
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    std::string damaged = text;
    damaged[random.below(trial * 4, text.size())] = static_cast<char>(random.below(trial * 4 + 1, 256));
    damaged.resize(1 + random.below(trial * 4 + 2, text.size()));
    try {
      EXPECT_GT(read(damaged).graph.num_nodes(), 0);
    } catch (const UserError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
}

TEST(EdgeTable, IsTheSameGraphOnAnyNumberOfThreads) {
  std::string text = "from,to,remark\n";
  const RandomStream random(2, "edge-table/threads");
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    text += fmt::format("\"n {}\",n {},\"a\nb\"\n", random.below(2 * i, 5'000), random.below(2 * i + 1, 5'000));
  }
  const ThreadScope one(1);
  const std::string print = read(text).graph.fingerprint();
  for (const int threads : {2, 5}) {
    const ThreadScope scope(threads);
    EXPECT_EQ(read(text).graph.fingerprint(), print);
  }
}

}  // namespace
}  // namespace gir
