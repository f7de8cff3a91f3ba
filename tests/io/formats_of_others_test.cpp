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
using ::testing::Not;
using testing::TempDir;

AttributedGraph read(std::string_view name, std::string_view content, const ReadOptions& options = {}) {
  const TempDir dir;
  return read_graph(dir.file(name, content), options);
}

std::string expected_print(std::string_view edges) { return read("g.txt", edges).graph.fingerprint(); }

/// Every damaged variant of `text` is read or refused in one line.
void expect_user_errors_only(std::string_view name, const std::string& text) {
  const RandomStream random(7, name);
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    std::string damaged = text;
    damaged[random.below(trial * 4, text.size())] = static_cast<char>(random.below(trial * 4 + 1, 256));
    damaged.resize(1 + random.below(trial * 4 + 2, text.size()));
    try {
      EXPECT_GT(read(name, damaged).graph.num_nodes(), 0);
    } catch (const UserError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
    }
  }
}

// As Gephi 0.10 writes it: attributes with a default, drawings, one edge of another type than the default.
const std::string kGephi = R"(<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://www.gexf.net/1.3" version="1.3" xmlns:viz="http://www.gexf.net/1.3/viz">
  <meta lastmodifieddate="2024-05-01"><creator>Gephi 0.10</creator></meta>
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node"><attribute id="g" title="Modularity Class" type="integer"><default>7</default></attribute>
    </attributes>
    <nodes count="4">
      <node id="p1" label="Myriel"><attvalues><attvalue for="g" value="1"/></attvalues><viz:size value="2"/></node>
      <node id="p2" label="Napoleon"><nodes><node id="p3" label="M&amp;M"/></nodes><attvalues><attvalue for="g" value="2"/>
      </attvalues></node>
      <node id="p4" label="alone"/>
    </nodes>
    <edges>
      <edge id="0" source="p1" target="p2" weight="2.5"/>
      <edge id="1" source="p3" target="p2" type="directed"/>
    </edges>
  </graph>
</gexf>
)";

TEST(Gexf, ReadsWhatGephiWrites) {
  const AttributedGraph data = read("g.gexf", kGephi);
  EXPECT_THAT(names(data.graph), ElementsAre("p1", "p2", "p3", "p4"));
  EXPECT_EQ(data.graph.fingerprint(),
            expected_print("# gir directed\n# gir text ids\n# gir node p4\np1\tp2\t2.5\np2\tp1\t2.5\np3\tp2\t1\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("1 directed edges and 1 undirected ones"));
  EXPECT_THAT(joined_notes(data), HasSubstr("1 edges have no \"weight\""));
  EXPECT_THAT(joined_notes(data), HasSubstr("not used: \"Modularity Class\", \"label\""));
  EXPECT_TRUE(read("g.xml", kGephi).graph.directed()) << "by its content";
}

TEST(Gexf, ReadsTheAttributesThatWereChosen) {
  const AttributedGraph data = read("g.gexf", kGephi, {.columns = "label=Modularity Class"});
  EXPECT_THAT(data.labels.names, ElementsAre("1", "2", "7"));
  EXPECT_THAT(data.labels.classes.span(), ElementsAre(0, 1, 2, 2));
}

TEST(Gexf, SaysWhatItDoesNotUse) {
  const std::string dynamic = R"(<gexf><graph mode="dynamic"><nodes><node id="a" label="a" start="1"/><node id="b"/>
    </nodes><edges><edge source="a" target="b" start="2" end="3"/></edges></graph></gexf>)";
  const AttributedGraph data = read("g.gexf", dynamic);
  EXPECT_THAT(joined_notes(data), HasSubstr("dynamic; its times are not used"));
  EXPECT_THAT(joined_notes(data), Not(HasSubstr("label"))) << "labels that are the ids say nothing";
}

TEST(Gexf, NamesTheLineOfAnError) {
  expect_user_error([] { read("g.gexf", "<gexf><graph><nodes><node id='a'/></nodes>\n<edges><edge source='a'/>"); },
                    "g.gexf:2: \"edge\" has no attribute target", "[");
  expect_user_error(
      [] { read("g.gexf", "<gexf><graph><edges>\n<edge source='a' target='b'/></edges></graph></gexf>"); },
      "g.gexf:2: an edge has the end \"a\", but there is no such node");
  expect_user_error([] { read("g.gexf", "<gexf></gexf>"); }, "has no element graph");
  expect_user_errors_only("g.gexf", kGephi);
}

// Arcs and edges, lists, drawings, comments, ends of lines of Windows.
const std::string kPajek =
    "*Network demo\r\n% a comment\r\n*Vertices 5\r\n1 \"Smith, J.\" 0.1 0.2 0.5 ic Red\r\n2 \"b\"\r\n3 c\r\n"
    "4 \"d\"\r\n5 \"e\"\r\n*Arcs :1 \"likes\"\r\n1 2 2.5 c Blue\r\n*Edges\r\n3 4\r\n*Arcslist\r\n1 3 4\r\n";

TEST(Pajek, ReadsArcsEdgesAndLists) {
  const AttributedGraph data = read("g.net", kPajek);
  EXPECT_THAT(names(data.graph), ElementsAre("Smith, J.", "b", "c", "d", "e"));
  EXPECT_EQ(data.graph.fingerprint(),
            expected_print("# gir directed\n# gir text ids\n# gir node e\nSmith, J.\tb\t2.5\nSmith, J.\tc\t1\n"
                           "Smith, J.\td\t1\nc\td\t1\nd\tc\t1\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("called by their label"));
  EXPECT_EQ(read("g.dat", kPajek).graph.num_nodes(), 5) << "by its content";
}

TEST(Pajek, ReadsWhatNetworkxWrites) {
  const std::string text =
      "*vertices 3\n1 0 0.0 0.0 ellipse\n2 1 0.0 0.0 ellipse\n3 \"a b\" 0.0 0.0 ellipse\n"
      "*edges\n1 2 1.0\n2 3 1.0\n";
  const AttributedGraph data = read("g.net", text);
  EXPECT_THAT(names(data.graph), ElementsAre("0", "1", "a b"));
  EXPECT_FALSE(data.graph.weighted()) << "networkx writes 1.0 where there are no weights";
  EXPECT_FALSE(data.graph.directed());
}

TEST(Pajek, VerticesWithoutALineOrWithTheSameLabelsAreCalledByTheirNumbers) {
  EXPECT_THAT(names(read("g.net", "*Vertices 3\n*Edges\n1 2\n").graph), ElementsAre("1", "2", "3"));
  const AttributedGraph twins = read("g.net", "*Vertices 2\n1 \"x\"\n2 \"x\"\n*Edges\n1 2\n");
  EXPECT_THAT(names(twins.graph), ElementsAre("1", "2"));
  EXPECT_THAT(joined_notes(twins), HasSubstr("called by their number"));
}

TEST(Pajek, NamesTheLineOfAnError) {
  expect_user_error([] { read("g.net", "*Vertices 2\n*Edges\n1 3\n"); }, "g.net:3: there is no vertex 3", "1 .. 2");
  expect_user_error([] { read("g.net", "*Vertices 2\n*Edges\n1 x\n"); }, "g.net:3:", "\"x\"");
  expect_user_error([] { read("g.net", "*Vertices 2\n*Matrix\n0 1\n"); }, "g.net:2: a matrix", "[save");
  expect_user_error([] { read("g.net", "*Edges\n1 2\n"); }, "g.net:1:", "before '*Vertices'");
  expect_user_error([] { read("g.net", "*Vertices 2\n*Edges\n1 2\n*Vertices 2\n"); }, "g.net:4: a second network");
  expect_user_error([] { read("g.net", "*Vertices 9000000000000\n*Edges\n1 2\n"); }, "g.net:1: declares", "memory");
  expect_user_errors_only("g.net", kPajek);
}

constexpr std::string_view kNodeLink = R"({"directed": true, "multigraph": false, "graph": {},
 "nodes": [{"club": "red", "id": 2}, {"club": null, "id": 10}, {"id": 3}],
 "links": [{"weight": 0.5, "source": 2, "target": 10}, {"source": 10, "target": 2}]})";

TEST(JsonGraph, ReadsWhatNetworkxWrites) {
  const AttributedGraph data = read("g.json", kNodeLink);
  EXPECT_THAT(names(data.graph), ElementsAre("2", "3", "10"));
  EXPECT_EQ(data.graph.fingerprint(), expected_print("# gir directed\n# gir node 3\n2 10 0.5\n10 2 1\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("1 edges have no \"weight\""));
  EXPECT_THAT(read("g.json", kNodeLink, {.columns = "label=club"}).labels.classes.span(), ElementsAre(0, -1, -1));
  EXPECT_EQ(read("g.txt", kNodeLink).graph.num_nodes(), 3) << "by its content";
}

TEST(JsonGraph, ReadsLinksThatCountTheNodes) {
  const AttributedGraph data = read("g.json", R"({"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    "links": [{"source": 0, "target": 2, "value": 4}]})");
  EXPECT_EQ(data.graph.fingerprint(), expected_print("# gir text ids\n# gir node b\na\tc\t4\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("by their positions, from 0"));
  const AttributedGraph ids =
      read("g.json", R"({"nodes": [{"id": 1}, {"id": 0}], "edges": [{"source": 0, "target": 0}]})");
  EXPECT_THAT(joined_notes(ids), Not(HasSubstr("positions"))) << "numbers that are ids are ids";
}

TEST(JsonGraph, ReadsAdjacencyDataAndCytoscape) {
  const std::string print = expected_print("# gir text ids\na\tb\n");
  EXPECT_EQ(read("g.json", R"({"directed": false, "nodes": [{"id": "a"}, {"id": "b"}],
    "adjacency": [[{"id": "b"}], [{"id": "a"}]]})")
                .graph.fingerprint(),
            print);
  EXPECT_EQ(read("g.cyjs", R"({"elements": {"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}],
    "edges": [{"data": {"id": "e", "source": "a", "target": "b"}}]}})")
                .graph.fingerprint(),
            print);
}

TEST(JsonGraph, SaysWhatIsWrong) {
  const auto refused = [](std::string_view text, std::string_view what) {
    expect_user_error([&] { read("g.json", text); }, what, "[");
  };
  refused(R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 9}]})", "link 1 has the end \"9\"");
  refused(R"({"nodes": [{"id": 1}, {"id": 1}], "links": []})", "node 2 has the id \"1\" of an earlier one");
  refused(R"({"nodes": [{"id": 1}], "links": [{"source": 1}]})", "link 1 has no \"target\"");
  refused("{\"nodes\": [{\"id\": 1}],\n \"links\": [{\"source\": 1,", "g.json:2: is not valid JSON");
  refused(R"([{"source": 1, "target": 2}])", "without a graph");
  refused(R"({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": "big"}]})",
          "edge 1 has the weight \"big\"");
  expect_user_errors_only("g.json", std::string(kNodeLink));
}

const std::string kRoads = "c roads\np sp 4 4\na 1 2 10\na 2 1 10\na 2 3 5\na 3 2 5\n";

TEST(Dimacs, ReadsRoadsThatAreListedInBothDirectionsAsUndirected) {
  const AttributedGraph data = read("g.gr", kRoads);
  EXPECT_EQ(data.graph.fingerprint(), expected_print("# gir node 4\n1 2 10\n2 3 5\n"));
  EXPECT_THAT(joined_notes(data), HasSubstr("both directions"));
  EXPECT_TRUE(read("g.gr", "p sp 2 1\na 1 2 3\n").graph.directed());
  EXPECT_TRUE(read("g.gr", "p sp 2 2\na 1 2 3\na 2 1 4\n").graph.directed()) << "other lengths on the way back";
}

TEST(Dimacs, ReadsColouringsFlowsAndPace) {
  const std::string print = expected_print("# gir node 4\n1 2\n2 3\n");
  EXPECT_EQ(read("g.col", "c x\np edge 4 2\ne 1 2\ne 2 3\n").graph.fingerprint(), print);
  EXPECT_EQ(read("g.txt", "c x\np col 4 4\ne 1 2\ne 2 3\n").graph.fingerprint(), print) << "twice the edges declared";
  EXPECT_EQ(read("g.gr", "p tw 4 2\n1 2\n2 3\n").graph.fingerprint(), print);
  EXPECT_TRUE(read("g.max", "p max 3 2\nn 1 s\nn 3 t\na 1 2 4\na 2 3 4\n").graph.weighted());
}

TEST(Dimacs, NamesTheLineOfAnError) {
  expect_user_error([] { read("g.gr", "p sp 2 1\na 1 3 1\n"); }, "g.gr:2: there is no node 3", "1 .. 2");
  expect_user_error([] { read("g.gr", "p sp 2 3\na 1 2 1\n"); }, "declares 3 edges, but has 1", "truncated");
  expect_user_error([] { read("g.gr", "p sp 2 1\na 1 2\n"); }, "g.gr:2: has no weight");
  expect_user_error([] { read("g.col", "p cnf 2 1\n1 2 0\n"); }, "g.col:1: problem \"cnf\"", "known: sp");
  expect_user_error([] { read("g.col", "e 1 2\n"); }, "g.col:1:", "before the first edge");
  expect_user_errors_only("g.gr", kRoads);
}

TEST(FilesOfOthers, AreNamedWhereTheyAreNoGraphs) {
  const auto refused = [](std::string_view name, std::string_view text, std::string_view what) {
    expect_user_error([&] { read(name, text); }, what, "[");
  };
  refused("g.txt", ">>sparse6<<:aACA\n", "sparse6");
  refused("g.s6", ":aACA eSf\n", "sparse6");
  refused("g.gdf", "nodedef>name VARCHAR\ns1\nedgedef>node1 VARCHAR,node2 VARCHAR\ns1,s1\n", "GDF");
  refused("g.nt", "<http://x/a> <http://x/knows> <http://x/b> .\n<http://x/b> <http://x/knows> <http://x/c> .\n",
          "RDF");
  refused("g.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "Git LFS");
  refused("g.csv", "404: Not Found", "web server");
  refused("g.txt", "<!DOCTYPE html>\n<html><body>x</body></html>\n", "web page");
  refused("meta.test", "name: test\ncode: TT\ncategory: Social\n", "out.test");
  refused("g.txt", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO e VALUES(1,2);\n", "SQL");
  EXPECT_EQ(read("g.txt", "404: 1 2\n1: 404\n").graph.num_nodes(), 3) << "node 404";
  EXPECT_EQ(read("g.csv", "Set A;Set B\nSet B;Set C\nSet C;Set A\n").graph.num_nodes(), 3) << "no statement of SQL";
  refused("g.dat", "DL\nN=3\nFORMAT = EDGELIST1\nDATA:\n1 2\n", "UCINET");
}

}  // namespace
}  // namespace gir
