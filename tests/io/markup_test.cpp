#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/core/random.h"
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

AttributedGraph read(std::string_view name, std::string_view content, const ReadOptions& options = {}) {
  const TempDir dir;
  return read_graph(dir.file(name, content), options);
}

std::string expected_print(std::string_view edges, const ReadOptions& options = {}) {
  return read("g.txt", edges, options).graph.fingerprint();
}

// As networkx 2.8 writes it: a key for every type of value, some edges without the attribute, an isolated node.
constexpr std::string_view kNetworkx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<key id="d2" for="node" attr.name="club" attr.type="string"/>
<key id="d1" for="edge" attr.name="weight" attr.type="long"/>
<key id="d0" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="directed"><node id="Smith, J."><data key="d2">red</data></node>
<node id="O&quot;Neil"/>
<node id="M&#252;ller"><data key="d2">a&amp;b</data></node>
<node id="alone"/>
<edge source="Smith, J." target="O&quot;Neil">
  <data key="d0">2.5</data>
</edge>
<edge source="M&#xfc;ller" target="Smith, J."/>
<edge source="O&quot;Neil" target="M&#252;ller"><data key="d1">4</data></edge>
</graph></graphml>
)";

TEST(Graphml, ReadsWhatNetworkxWrites) {
  const AttributedGraph data = read("g.graphml", kNetworkx);
  EXPECT_TRUE(data.graph.directed());
  EXPECT_THAT(names(data.graph), ElementsAre("M\xC3\xBCller", "O\"Neil", "Smith, J.", "alone"));
  EXPECT_EQ(
      data.graph.fingerprint(),
      expected_print("# gir directed\n# gir text ids\n# gir node alone\nSmith, J.\tO\"Neil\t2.5\nM\xC3\xBCller\tSmith, "
                     "J.\t1\nO\"Neil\tM\xC3\xBCller\t4\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("1 edges have no \"weight\": theirs is 1"));
  EXPECT_THAT(joined_notes(data), HasSubstr("not used: \"club\""));
  EXPECT_TRUE(data.labels.empty());
}

TEST(Graphml, ReadsTheAttributesThatWereChosen) {
  const AttributedGraph data = read("g.graphml", kNetworkx, {.columns = "label=club"});
  EXPECT_THAT(data.labels.names, ElementsAre("a&b", "red"));
  EXPECT_THAT(data.labels.classes.span(), ElementsAre(0, -1, 1, -1));
  expect_user_error([] { read("g.graphml", kNetworkx, {.columns = "label=team"}); }, "no attribute \"team\"",
                    "\"club\"");
  expect_user_error([] { read("g.graphml", kNetworkx, {.columns = "source=a,target=b"}); }, "edge lists only");
}

TEST(Graphml, CallsTheNodesOfIgraphByTheirNames) {
  const std::string head =
      R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <graph id="G" edgedefault="undirected">)";
  const AttributedGraph named = read("g.graphml", head + R"(
    <node id="n0"><data key="v_name">x</data></node>
    <node id="n1"><data key="v_name">y</data></node>
    <edge source="n0" target="n1"></edge></graph></graphml>)");
  EXPECT_THAT(names(named.graph), ElementsAre("x", "y"));
  EXPECT_THAT(joined_notes(named), HasSubstr("called by their attribute \"name\""));
  const AttributedGraph repeated = read("g.graphml", head + R"(
    <node id="n0"><data key="v_name">x</data></node>
    <node id="n1"><data key="v_name">x</data></node>
    <edge source="n0" target="n1"/></graph></graphml>)");
  EXPECT_THAT(names(repeated.graph), ElementsAre("n0", "n1"));
}

TEST(Graphml, ReadsWhatGephiWrites) {
  const AttributedGraph data = read("g.graphml", R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key attr.name="label" attr.type="string" for="node" id="label"/>
<key attr.name="weight" attr.type="double" for="edge" id="weight"/>
<key attr.name="r" attr.type="int" for="node" id="r"/>
<graph edgedefault="undirected">
<node id="1"><data key="label"><![CDATA[Ann <1>]]></data><data key="r">153</data></node>
<node id="2"><data key="label">Bob</data></node>
<node id="10"/>
<edge id="0" source="1" target="2"><data key="weight">2.0</data></edge>
<edge id="1" source="2" target="10"><data key="weight">1.0</data></edge>
</graph></graphml>)");
  EXPECT_EQ(data.graph.fingerprint(), expected_print("1 2 2\n2 10 1\n"));
}

TEST(Graphml, UsesDefaultsOfAttributes) {
  const Graph graph = read("g.graphml", R"(<graphml>
<key id="w" for="edge" attr.name="weight"><default>3</default></key>
<graph edgedefault="undirected"><node id="0"/><node id="1"/><node id="2"/>
<edge source="0" target="1"/><edge source="1" target="2"><data key="w">5</data></edge></graph></graphml>)")
                          .graph;
  EXPECT_THAT(graph.out().row_weights(1), ElementsAre(3.0F, 5.0F));
}

TEST(Graphml, ReadsUndirectedEdgesAmongDirectedOnesInBothDirections) {
  const AttributedGraph data = read("g.graphml", R"(<graphml><graph edgedefault="directed">
<node id="0"/><node id="1"/><node id="2"/>
<edge source="0" target="1"/><edge directed="false" source="1" target="2"/></graph></graphml>)");
  EXPECT_EQ(data.graph.fingerprint(), expected_print("0 1\n1 2\n2 1\n", {.directed = true}));
  EXPECT_THAT(joined_notes(data), HasSubstr("1 directed edges and 1 undirected ones"));
}

TEST(Graphml, ConvertsLatin1) {
  const std::string text =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph><node id=\"M\xFCller\"/></graph></graphml>";
  EXPECT_THAT(names(read("g.graphml", text).graph), ElementsAre("M\xC3\xBCller"));
  expect_user_error([] { read("g.graphml", "<?xml version='1.0' encoding='koi8-r'?><graphml/>"); }, "koi8-r", "iconv");
}

TEST(Graphml, NamesTheLineThatIsWrong) {
  const auto body = [](const std::string& inside) {
    return "<graphml>\n<graph edgedefault=\"undirected\">\n<node id=\"a\"/>\n" + inside + "</graph>\n</graphml>\n";
  };
  expect_user_error([&] { read("g.graphml", body("<edge source=\"a\" target=\"b\"/>\n")); }, "g.graphml:4: ", "\"b\"",
                    "no such node");
  expect_user_error([&] { read("g.graphml", body("<node id=\"a\"/>\n")); }, "g.graphml:4: ", "second time");
  expect_user_error([&] { read("g.graphml", body("<node/>\n")); }, "g.graphml:4: ", "no attribute id");
  expect_user_error([&] { read("g.graphml", body("<node id=\"&bad;\"/>\n")); }, "g.graphml:4: ", "entity");
  expect_user_error([&] { read("g.graphml", body("<hyperedge/>\n")); }, "g.graphml:4: ", "hyperedge");
  expect_user_error([&] { read("g.graphml", body("</node>\n")); }, "g.graphml:4: ", "\"node\" ends");
  expect_user_error([&] { read("g.graphml", body("<node id=b/>\n")); }, "g.graphml:4: ", "not in quotes");
  expect_user_error([&] { read("g.graphml", body("").substr(0, body("").size() - 12)); }, "truncated");
  expect_user_error([&] { read("g.graphml", body("") + body("")); }, "second graph");
  expect_user_error([] { read("g.graphml", "<graphml></graphml>"); }, "no element graph");
  expect_user_error([] { read("g.graphml", "0 1\n"); }, "does not begin like an XML document");
}

TEST(Graphml, RefusesEntitiesOfTheDocument) {
  expect_user_error(
      [] { read("g.graphml", "<!DOCTYPE graphml [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<graphml/>"); },
      "declares entities");
}

TEST(Graphml, ReadsGraphsInsideOfNodesButNotAtAnyDepth) {
  const auto nested = [](int levels) {
    std::string text = "<graphml><graph edgedefault=\"undirected\"><edge source=\"0\" target=\"1\"/>\n";
    for (int i = 0; i < levels; ++i) text += fmt::format("<node id=\"{}\"><graph>\n", i);
    for (int i = 0; i < levels; ++i) text += "</graph></node>";
    return text + "</graph></graphml>";
  };
  EXPECT_EQ(read("g.graphml", nested(50)).graph.num_nodes(), 50);
  expect_user_error([&] { read("g.graphml", nested(300'000)); }, "g.graphml:202: ", "levels deep");
}

TEST(Graphml, DamagedFilesRaiseUserErrorsOnly) {
  const RandomStream random(1, "graphml/attack");
  for (std::uint64_t trial = 0; trial < 600; ++trial) {
    std::string damaged(kNetworkx);
    damaged[random.below(trial * 4, damaged.size())] = static_cast<char>(random.below(trial * 4 + 1, 256));
    damaged.resize(1 + random.below(trial * 4 + 2, damaged.size()));
    try {
      EXPECT_GT(read("g.graphml", damaged).graph.num_nodes(), 0);
    } catch (const UserError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
}

constexpr std::string_view kGml = R"(Creator "me"
# a comment [ with brackets ]
graph
[
  directed 1
  node [ id 0 label "Smith &quot;J&quot;" graphics [ x 1.0 y [ z 2 ] ] value 7 ]
  node [ id 1 label "b" value 9 ]
  node
  [
    id 2
    label "c"
  ]
  edge [ source 0 target 1 weight 2.5 ]
  edge [ source 1 target 0 weight 1 label "x ] y" ]
]
)";

TEST(Gml, ReadsNodesWithoutEdgesDirectionsAndWeights) {
  const AttributedGraph data = read("g.gml", kGml);
  EXPECT_TRUE(data.graph.directed());
  EXPECT_THAT(names(data.graph), ElementsAre("Smith \"J\"", "b", "c"));
  EXPECT_THAT(data.graph.out().row_weights(0), ElementsAre(2.5F));
  EXPECT_THAT(joined_notes(data), HasSubstr("called by their label"));
  EXPECT_THAT(joined_notes(data), HasSubstr("not used: \"value\""));
  EXPECT_THAT(read("g.gml", kGml, {.columns = "label=value"}).labels.classes.span(), ElementsAre(0, 1, -1));
}

TEST(Gml, CallsNodesByTheirIdsWhereLabelsRepeat) {
  const AttributedGraph data =
      read("g.gml", "graph [ node [ id 3 label \"a\" ] node [ id 5 label \"a\" ] edge [ source 3 target 5 value 4 ] ]");
  EXPECT_EQ(data.graph.fingerprint(), expected_print("3 5 4\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("called by their id"));
}

TEST(Gml, CallsNodesByTheNamesOfIgraph) {
  EXPECT_THAT(names(read("g.gml", "Version 1\ngraph [ node [ id 0 name \"x\" ] node [ id 1 name \"y\" ] ]").graph),
              ElementsAre("x", "y"));
}

TEST(Gml, NamesTheLineThatIsWrong) {
  expect_user_error([] { read("g.gml", "graph [\nnode [ id 0 ]\nedge [ source 0 target 9 ]\n]"); },
                    "g.gml:3: ", "\"9\"");
  expect_user_error([] { read("g.gml", "graph [\nnode [ label \"x\" ]\n]"); }, "g.gml:2: ", "a node has no id");
  expect_user_error([] { read("g.gml", "graph [\nnode [ id 0 ]\n"); }, "truncated");
  expect_user_error([] { read("g.gml", "graph [ node [ id 0 label \"x ] ]"); }, "does not end");
  expect_user_error([] { read("g.gml", "0 1\n"); }, "no 'graph ['");
}

TEST(Gml, DamagedFilesRaiseUserErrorsOnly) {
  const RandomStream random(1, "gml/attack");
  for (std::uint64_t trial = 0; trial < 600; ++trial) {
    std::string damaged(kGml);
    damaged[random.below(trial * 4, damaged.size())] = static_cast<char>(random.below(trial * 4 + 1, 256));
    damaged.resize(1 + random.below(trial * 4 + 2, damaged.size()));
    try {
      EXPECT_GT(read("g.gml", damaged).graph.num_nodes(), 0);
    } catch (const UserError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
}

TEST(Metis, ReadsNeighboursWithCommentsAndBlankLinesOfIsolatedNodes) {
  const AttributedGraph data = read("g.graph", "% a comment\n4 2\n2\n1 4\n% another\n\n2\n");
  EXPECT_THAT(names(data.graph), ElementsAre("1", "2", "3", "4"));
  EXPECT_EQ(data.graph.num_arcs(), 4);
  EXPECT_EQ(data.graph.out_degree(2), 0);
  EXPECT_TRUE(data.notes.empty());
  EXPECT_EQ(read("g.graph", "4 1 0\n2\n1\n").graph.num_nodes(), 4) << "blank lines at the end may be missing";
}

TEST(Metis, ReadsWeightsOfEdgesAndSkipsThoseOfNodes) {
  const std::string print = read("g.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n").graph.fingerprint();
  EXPECT_EQ(print, expected_print("1 2 5\n2 3 7\n"));
  EXPECT_EQ(read("g.graph", "3 2 001\n2 5\n1 5 3 7\n2 7\n").graph.fingerprint(), print);
  const AttributedGraph data = read("g.graph", "3 2 011 2\n8 8 2 5\n9 9 1 5 3 7\n4 4 2 7\n");
  EXPECT_EQ(data.graph.fingerprint(), print);
  EXPECT_THAT(joined_notes(data), HasSubstr("weights of nodes are not used"));
  EXPECT_EQ(read("g.graph", "3 2 111 1\n1 8 2 5\n1 9 1 5 3 7\n1 4 2 7\n").graph.fingerprint(), print);
}

TEST(Metis, ChecksTheCountsOfItsFirstLine) {
  expect_user_error([] { read("g.graph", "3 3\n2\n1 3\n2\n"); }, "declares 3 edges", "4 entries");
  expect_user_error([] { read("g.graph", "2 1\n2\n1\n1\n"); }, "g.graph:4: ", "node 3");
  expect_user_error([] { read("g.graph", "2 1\n2\n5\n"); }, "g.graph:3: ", "neighbour 5");
  expect_user_error([] { read("g.graph", "2 1\n2\nx\n"); }, "g.graph:3: ", "\"x\"");
  expect_user_error([] { read("g.graph", "0 1\n1 2\n"); }, "g.graph:1: ", "`read-as` edge-list");
  expect_user_error([] { read("g.graph", "2 1 7\n2\n1\n"); }, "g.graph:1: ", "METIS");
  expect_user_error([] { read("g.graph", "2000000000 1\n2\n1\n"); }, "g.graph");
  expect_user_error([] { read("g.graph", "2 1 1\n2 x\n1 1\n"); }, "g.graph:2: ", "weight \"x\"");
}

TEST(Metis, SaysThatEdgesStandOnOneSideOnly) {
  EXPECT_THAT(joined_notes(read("g.graph", "3 1\n2 3\n\n\n")), HasSubstr("only one of their nodes"));
}

TEST(Metis, ReadsAnEdgeListOfThatEndingOnRequest) {
  EXPECT_EQ(read("g.graph", "0 1\n1 2\n", {.format = "edge-list"}).graph.num_nodes(), 3);
}

}  // namespace
}  // namespace gir
