#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gir/core/random.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::TempDir;

const std::string kGeneral = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";

/// Read options with the option `directed`.
ReadOptions directed(bool value) {
  ReadOptions options;
  options.directed = value;
  return options;
}

Graph read(const std::string& text, const ReadOptions& options = {}) {
  const TempDir dir;
  return read_graph(dir.file("a.mtx", text), options).graph;
}

/// Reading `text` must fail with all of `parts` in the message.
template <typename... Parts>
void expect_refused(const std::string& text, const Parts&... parts) {
  expect_user_error([&] { read(text); }, parts...);
}

std::string written(const Graph& graph, const std::string& name = "a.mtx") {
  const TempDir dir;
  AttributedGraph attributed;
  attributed.graph = induced_subgraph(graph, [&] {
    std::vector<NodeId> all;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) all.push_back(v);
    return all;
  }());
  write_graph(dir / name, attributed);
  return testing::read_text(dir / name);
}

Graph make_graph(std::vector<Arc> arcs, std::vector<float> weights, bool directed, NodeNames names) {
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)),
                      .weights = Array<float>(std::span<const float>(weights)),
                      .directed = directed,
                      .names = std::move(names)});
}

TEST(MatrixMarket, ReadsAGeneralPatternAsADirectedGraph) {
  const Graph graph = read(kGeneral + "% a comment\n\n3 3 2\n1 2\n3 1\n");
  EXPECT_TRUE(graph.directed());
  EXPECT_FALSE(graph.weighted());
  EXPECT_EQ(graph.num_nodes(), 3);
  EXPECT_THAT(graph.out_neighbors(0), ElementsAre(1));
  EXPECT_THAT(graph.out_neighbors(1), ElementsAre());
  EXPECT_THAT(graph.out_neighbors(2), ElementsAre(0));
}

TEST(MatrixMarket, ReadsASymmetricPatternAsAnUndirectedGraph) {
  const Graph graph = read(kSymmetric + "4 4 3\n2 1\n3 1\n3 3\n");
  EXPECT_FALSE(graph.directed());
  EXPECT_THAT(graph.out_neighbors(0), ElementsAre(1, 2));
  EXPECT_THAT(graph.self_loops(), ElementsAre(2));
  EXPECT_EQ(graph.out_degree(3), 0);
}

TEST(MatrixMarket, NamesNodesByTheirRows) {
  const Graph graph = read(kGeneral + "3 3 1\n1 2\n");
  EXPECT_EQ(graph.names().name(0), "1");
  EXPECT_EQ(graph.names().name(2), "3");
}

TEST(MatrixMarket, ReadsRealAndIntegerValuesAsWeights) {
  const Graph real = read(kReal + "2 2 2\n1 2 0.25\n2 1 +1e1\n");
  EXPECT_THAT(real.out().weights.span(), ElementsAre(0.25f, 10.0f));
  const Graph integer = read("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -7\n2 1 3\n");
  EXPECT_THAT(integer.out().weights.span(), ElementsAre(-7.0f, 3.0f));
}

TEST(MatrixMarket, ReadsTinyValuesAsZero) {
  EXPECT_THAT(read(kReal + "2 2 1\n1 2 1e-60\n").out().weights.span(), ElementsAre(0.0f));
}

TEST(MatrixMarket, FollowsTheOptionsOverTheFile) {
  const Graph undirected = read(kReal + "2 2 1\n1 2 5\n", directed(false));
  EXPECT_FALSE(undirected.directed());
  EXPECT_EQ(undirected.num_arcs(), 2);
  const Graph both = read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 5\n1 1 2\n", directed(true));
  EXPECT_TRUE(both.directed());
  EXPECT_TRUE(both.has_arc(0, 1));
  EXPECT_TRUE(both.has_arc(1, 0));
  EXPECT_THAT(both.out().weights.span(), ElementsAre(5.0f, 5.0f));
  EXPECT_THAT(both.self_loop_weights(), ElementsAre(2.0f));
}

TEST(MatrixMarket, ToleratesCaseCarriageReturnsTabsAndCommentsAmongEntries) {
  const Graph graph =
      read("%%matrixmarket MATRIX Coordinate Pattern General\r\n2 2 2\r\n\r\n1\t2\r\n% between\r\n 2  1 \r\n");
  EXPECT_EQ(graph.num_arcs(), 2);
}

TEST(MatrixMarket, ReadsALastLineWithoutLineBreak) { EXPECT_EQ(read(kGeneral + "2 2 1\n1 2").num_arcs(), 1); }

TEST(MatrixMarket, ReadsNodesWithoutEdgesButNotAnEmptyGraph) {
  expect_user_error([] { read(kGeneral + "0 0 0\n"); }, "has no nodes");
  EXPECT_EQ(read(kGeneral + "5 5 0").num_nodes(), 5);
}

TEST(MatrixMarket, ReadsCompressedFiles) {
  const TempDir dir;
  const auto path = dir.file("a.mtx.gz", gzip(kGeneral + "2 2 1\n1 2\n"));
  EXPECT_EQ(read_graph(path).graph.num_arcs(), 1);
}

TEST(MatrixMarket, RefusesAnotherBanner) {
  expect_refused("1 2\n", "a.mtx:1: ", "%%MatrixMarket", "got \"1 2\"");
  expect_refused("", "a.mtx:1: ", "%%MatrixMarket");
  expect_refused("%%MatrixMarket matrix coordinate pattern\n", "a.mtx:1: ");
  expect_refused("%%MatrixMarket vector coordinate pattern general\n", "a.mtx:1: ");
}

TEST(MatrixMarket, NamesTheKindsThatAreNotAGraph) {
  expect_refused("%%MatrixMarket matrix array real general\n2 2\n", "a.mtx:1: ", "\"array\"", "[");
  expect_refused("%%MatrixMarket matrix coordinate complex general\n", "a.mtx:1: ", "\"complex\"", "[");
  expect_refused("%%MatrixMarket matrix coordinate complex hermitian\n", "a.mtx:1: ", "[");
  expect_refused("%%MatrixMarket matrix coordinate real hermitian\n", "a.mtx:1: ", "\"hermitian\"", "[");
  expect_refused("%%MatrixMarket matrix coordinate real skew-symmetric\n", "a.mtx:1: ", "\"skew-symmetric\"", "[");
}

TEST(MatrixMarket, RefusesAMatrixThatIsNotSquare) {
  expect_refused(kGeneral + "2 3 1\n1 2\n", "a.mtx:2: ", "2 rows but 3 columns");
}

TEST(MatrixMarket, RefusesSizesThatDoNotParse) {
  for (const char* sizes : {"2 2", "2 2 1 9", "a 2 1", "-2 -2 1", "2 2 -1", "99999999999999999999 2 1"}) {
    expect_refused(kGeneral + "%\n" + sizes + "\n1 2\n", "a.mtx:3: ", "rows columns entries");
  }
}

TEST(MatrixMarket, RefusesAFileWithoutSizes) { expect_refused(kGeneral + "% only\n", "a.mtx:2: ", "ends before"); }

TEST(MatrixMarket, RefusesImpossibleSizes) {
  expect_refused(kGeneral + "2 2 4000000000000\n1 2\n", "a.mtx:2: ", "4000000000000 entries", "4 bytes");
  expect_refused(kGeneral + "3000000000 3000000000 1\n1 2\n", "a.mtx:2: ", "3000000000 nodes");
}

TEST(MatrixMarket, NamesTheLineOfAnIndexOutOfRange) {
  expect_refused(kGeneral + "2 2 2\n1 2\n3 1\n", "a.mtx:4: ", "index 3", "[rows and columns are 1 .. 2]");
  expect_refused(kGeneral + "2 2 1\n1 0\n", "a.mtx:3: ", "index 0");
  expect_refused(kGeneral + "2 2 1\n-1 1\n", "a.mtx:3: ", "index -1");
}

TEST(MatrixMarket, NamesTheLineThatDoesNotParse) {
  expect_refused(kGeneral + "2 2 1\n1 x\n", "a.mtx:3: ", "expected 'row column'", "\"1 x\"");
  expect_refused(kGeneral + "2 2 1\n1 2 0.5\n", "a.mtx:3: ", "expected 'row column'");
  expect_refused(kReal + "2 2 1\n1 2\n\n", "a.mtx:3: ", "expected 'row column value'");
  expect_refused(kReal + "2 2 1\n1 2 0.5x\n", "a.mtx:3: ", "expected 'row column value'");
  expect_refused(kReal + "2 2 1\n1.0 2 0.5\n", "a.mtx:3: ", "expected 'row column value'");
}

TEST(MatrixMarket, RefusesValuesThatAreNotFinite) {
  for (const char* value : {"nan", "inf", "-inf", "1e39", "1e999"}) {
    expect_refused(kReal + "2 2 1\n1 2 " + value + "\n", "a.mtx:3: ", value, "not a finite number");
  }
}

TEST(MatrixMarket, CountsTheEntries) {
  expect_refused(kGeneral + "2 2 3\n1 2\n2 1\n      \n", "a.mtx: ", "2 entries", "3 are declared");
  expect_refused(kGeneral + "2 2 1\n1 2\n%\n2 1\n", "a.mtx:5: ", "entry 2", "only 1");
}

TEST(MatrixMarket, WritesTheLowerTriangleOfAnUndirectedGraph) {
  const Graph graph = read(kSymmetric + "4 4 3\n2 1\n3 1\n3 3\n");
  EXPECT_EQ(written(graph), kSymmetric + "4 4 3\n2 1\n3 1\n3 3\n");
}

TEST(MatrixMarket, WritesTheShortestNumbersThatReadBack) {
  const Graph graph = read(kReal + "2 2 2\n1 2 0.1\n2 1 16777216\n");
  EXPECT_EQ(written(graph), kReal + "2 2 2\n1 2 0.1\n2 1 16777216\n");
}

TEST(MatrixMarket, StoresOtherIdsInComments) {
  const Graph letters = make_graph({{0, 1}}, {}, true, NodeNames::strings({"a b", "7"}));
  EXPECT_EQ(written(letters), kGeneral + "%node-ids text\n%node 1 a b\n%node 2 7\n2 2 1\n1 2\n");
  const Graph numbers = make_graph({{0, 1}}, {}, true, NodeNames::integers({30, -4}));
  EXPECT_EQ(written(numbers), kGeneral + "%node 1 30\n%node 2 -4\n2 2 1\n1 2\n");
  const Graph positions = make_graph({{0, 1}}, {}, true, NodeNames::positions(2));
  EXPECT_EQ(written(positions), kGeneral + "%node-ids positions\n2 2 1\n1 2\n");
}

TEST(MatrixMarket, ReadsIdsInAnyOrderOfLines) {
  const Graph graph = read(kGeneral + "%node 2 x\n%node one is prose\n%node 1 y z\n2 2 1\n1 2\n");
  EXPECT_EQ(graph.names().name(0), "y z");
  EXPECT_EQ(graph.names().name(1), "x");
}

TEST(MatrixMarket, RefusesIdsThatDoNotFit) {
  expect_refused(kGeneral + "%node 1 x\n2 2 1\n1 2\n", "a.mtx:2: ", "name 1 nodes, the matrix has 2");
  expect_refused(kGeneral + "%node 1 x\n%node 3 y\n2 2 1\n1 2\n", "a.mtx:3: ", "node 3 is out of range");
  expect_refused(kGeneral + "%node 1 x\n%node 1 y\n2 2 1\n1 2\n", "a.mtx:3: ", "node 1 already has an id");
  expect_refused(kGeneral + "%node 1 x\n%node 2 x\n2 2 1\n1 2\n", "a.mtx:3: ", "a second node has the id \"x\"");
}

TEST(MatrixMarket, RefusesToWriteAnIdWithALineBreak) {
  const Graph graph = make_graph({{0, 1}}, {}, true, NodeNames::strings({"a\nb", "c"}));
  expect_user_error([&] { written(graph); }, "a.mtx: ", "line break");
}

/// A graph of random shape, ids and weights.
Graph random_graph(std::uint64_t seed) {
  Rng rng(seed, "matrix market");
  const auto nodes = static_cast<std::int64_t>(1 + rng.below(30));
  std::vector<Arc> arcs(rng.below(80));
  for (Arc& arc : arcs) {
    arc = {static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes))),
           static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes)))};
  }
  std::vector<float> weights(seed % 2 == 0 ? arcs.size() : 0);
  for (float& weight : weights) weight = static_cast<float>(rng.uniform() * 1e-3 - 1e-4);
  Array<std::int64_t> integers(nodes);
  std::vector<std::string> texts;
  for (std::int64_t v = 0; v < nodes; ++v) {
    integers[v] = 1000 - 7 * v;
    texts.push_back(fmt::format("{}", seed % 3 == 0 ? 100 + v : v));
  }
  NodeNames names = seed % 5 == 0  ? NodeNames::positions(nodes)
                    : seed % 5 < 3 ? NodeNames::integers(std::move(integers))
                                   : NodeNames::strings(texts);
  return make_graph(arcs, weights, seed % 7 < 4, std::move(names));
}

TEST(MatrixMarket, ReadsBackTheGraphThatWasWritten) {
  for (std::uint64_t seed = 0; seed < 70; ++seed) {
    const Graph graph = random_graph(seed);
    EXPECT_EQ(read(written(graph)).fingerprint(), graph.fingerprint()) << "seed " << seed;
    const TempDir dir;
    const auto compressed = dir.file("a.mtx.gz", written(graph, "a.mtx.gz"));
    EXPECT_EQ(read_graph(compressed).graph.fingerprint(), graph.fingerprint()) << "seed " << seed;
  }
}

TEST(MatrixMarket, EndsInUserErrorOrSuccessWhateverBytesAreChanged) {
  const TempDir dir;
  std::vector<std::string> files;
  for (std::uint64_t seed = 0; seed < 20; ++seed) files.push_back(written(random_graph(seed)));
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    Rng rng(trial, "change matrix market bytes");
    std::string bytes = files[trial % files.size()];
    if (trial % 4 == 0) bytes.resize(rng.below(bytes.size()));
    for (std::uint64_t i = rng.below(4); i > 0 && !bytes.empty(); --i) {
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    }
    try {
      read_graph(dir.file(fmt::format("{}.mtx", trial), bytes));
    } catch (const UserError&) {
    }
  }
}

TEST(MatrixMarket, KeepsARealGraph) {
  GIR_NEEDS_DATA();
  const AttributedGraph usa = read_graph(*testing::data_directory() / "usa" / "usa-airports.edgelist");
  EXPECT_EQ(read(written(usa.graph)).fingerprint(), usa.graph.fingerprint());
}

}  // namespace
}  // namespace gir
