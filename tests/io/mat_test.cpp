#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "gir/core/random.h"
#include "gir/io/format.h"
#include "mat_builder.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::MatBuilder;
using namespace testing::mat;
using testing::TempDir;

/// The path 1 - 2 - 3.
std::string path_matrix(const MatBuilder& builder, const std::string& name = "net") {
  return builder.sparse(3, 3, name, {1, 0, 2, 1}, {0, 1, 3, 4}, {1, 1, 1, 1});
}

/// Read options with the option `directed`.
ReadOptions directed(bool value) {
  ReadOptions options;
  options.directed = value;
  return options;
}

AttributedGraph read(const std::string& bytes, const ReadOptions& options = {}) {
  const TempDir dir;
  return read_graph(dir.file("a.mat", bytes), options);
}

template <typename... Parts>
void expect_refused(const std::string& bytes, const Parts&... parts) {
  expect_user_error([&] { read(bytes); }, "a.mat: ", parts...);
}

TEST(Mat, OfASplitIsNoGraph) {
  const MatBuilder builder;
  expect_user_error(
      [&] {
        read(builder.bytes() + builder.full(1, 2, "train_pos", {1, 2}));
      },
      "a.mat: ", "is a split of pairs, not a graph", "`split-from`");
}

TEST(Mat, ReadsASymmetricSparseMatrixAsAnUndirectedGraph) {
  MatBuilder file;
  const Graph graph = read(file.add(path_matrix(file)).bytes()).graph;
  EXPECT_FALSE(graph.directed());
  EXPECT_FALSE(graph.weighted());
  EXPECT_EQ(graph.num_nodes(), 3);
  EXPECT_THAT(graph.out_neighbors(1), ElementsAre(0, 2));
  EXPECT_EQ(graph.names().name(0), "1");
}

TEST(Mat, ReadsOtherMatricesAsDirectedGraphsFromRowToColumn) {
  MatBuilder file;
  const Graph graph = read(file.add(file.sparse(3, 3, "net", {0}, {0, 0, 0, 1}, {1})).bytes()).graph;
  EXPECT_TRUE(graph.directed());
  EXPECT_TRUE(graph.has_arc(0, 2));
  EXPECT_EQ(graph.num_arcs(), 1);
}

TEST(Mat, KeepsWeightsThatAreNotAllOne) {
  MatBuilder file;
  const Graph graph = read(file.add(file.full(2, 2, "net", {0, 2.5, 2.5, 4})).bytes()).graph;
  EXPECT_FALSE(graph.directed());
  EXPECT_THAT(graph.out().weights.span(), ElementsAre(2.5f, 2.5f));
  EXPECT_THAT(graph.self_loops(), ElementsAre(1));
}

TEST(Mat, ReadsIntegersStoredInBytes) {
  MatBuilder file;
  const auto content = file.element(kUInt8, std::vector<std::uint8_t>{0, 1, 0, 0});
  const Graph graph = read(file.add(file.matrix(kUInt8Class, 2, 2, "net", content)).bytes()).graph;
  EXPECT_TRUE(graph.has_arc(1, 0));
  EXPECT_FALSE(graph.has_arc(0, 1));
}

TEST(Mat, ReadsCompressedAndBigEndianFiles) {
  MatBuilder plain;
  const std::string expected = read(plain.add(path_matrix(plain)).bytes()).graph.fingerprint();
  MatBuilder compressed;
  compressed.add(compressed.compressed(path_matrix(compressed)));
  EXPECT_EQ(read(compressed.bytes()).graph.fingerprint(), expected);
  MatBuilder big(true);
  EXPECT_EQ(read(big.add(path_matrix(big)).bytes()).graph.fingerprint(), expected);
}

TEST(Mat, FollowsTheOptionsOverTheMatrix) {
  MatBuilder file;
  file.add(path_matrix(file));
  EXPECT_TRUE(read(file.bytes(), directed(true)).graph.directed());
  MatBuilder arc;
  arc.add(arc.sparse(2, 2, "net", {1}, {0, 1, 1}, {1}));
  EXPECT_EQ(read(arc.bytes(), directed(false)).graph.num_arcs(), 2);
}

TEST(Mat, DoesNotGuessTheMatrixWhereNoneIsCalledNet) {
  MatBuilder file;
  file.add(file.full(1, 1, "version", {3})).add(path_matrix(file, "A"));
  expect_refused(file.bytes(), "\"net\"", "\"A\" (sparse 3 x 3)", "[save the matrix as net]");
}

TEST(Mat, ListsTheVariablesWhenThereIsNoNet) {
  MatBuilder file;
  file.add(path_matrix(file, "A")).add(path_matrix(file, "B")).add(file.full(1, 2, "x", {1, 2}));
  expect_refused(file.bytes(), "\"net\"", "\"A\" (sparse 3 x 3), \"B\" (sparse 3 x 3), \"x\" (numeric 1 x 2)", "[");
  expect_refused(MatBuilder().bytes(), "\"net\"", "nothing");
}

TEST(Mat, ReadsLabelsWithOneValuePerNode) {
  for (const char* name : {"group", "label", "labels"}) {
    MatBuilder file;
    const Labels labels = read(file.add(path_matrix(file)).add(file.full(3, 1, name, {7, 5, 7})).bytes()).labels;
    EXPECT_THAT(labels.classes.span(), ElementsAre(1, 0, 1)) << name;
    EXPECT_THAT(labels.names, ElementsAre("5", "7"));
  }
}

TEST(Mat, NotesLabelsWithoutOneIntegerPerNode) {
  MatBuilder file;
  file.add(path_matrix(file))
      .add(file.full(3, 2, "group", {1, 0, 0, 0, 1, 1}))
      .add(file.full(1, 3, "label", {1, 2, .5}));
  const AttributedGraph result = read(file.bytes());
  EXPECT_TRUE(result.labels.empty());
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_THAT(result.notes[0], ::testing::HasSubstr("\"group\" (numeric 3 x 2)"));
}

TEST(Mat, RefusesFilesThatAreNotMatlabFiles) {
  expect_refused("", "not a MATLAB file");
  expect_refused("0 1\n", "not a MATLAB file");
  expect_refused(std::string(4096, 'x'), "not a MATLAB file");
}

TEST(Mat, NamesTheRemedyForVersion73) {
  std::string bytes = "MATLAB 7.3 MAT-file, Platform: GLNXA64";
  bytes.resize(124, ' ');
  bytes += std::string("\x00\x02IM", 4);
  bytes.resize(512, '\0');
  bytes += "\x89HDF\r\n\x1a\n";
  expect_refused(bytes, "MATLAB 7.3", "'-v7'", "'-v6'");
  expect_refused("\x89HDF\r\n\x1a\n and so on", "MATLAB 7.3");
}

TEST(Mat, RefusesAMatrixThatIsNotSquare) {
  MatBuilder file;
  expect_refused(file.add(file.full(2, 1, "net", {1, 0})).bytes(), "\"net\" (numeric 2 x 1)", "not square");
}

TEST(Mat, RefusesANetThatIsNotNumeric) {
  MatBuilder file;
  expect_refused(file.add(file.matrix(kCharClass, 1, 1, "net", "")).bytes(), "\"net\"", "not a numeric matrix");
}

TEST(Mat, RefusesComplexNumbers) {
  MatBuilder file;
  file.add(file.sparse(2, 2, "net", {0}, {0, 0, 1}, {1}, 1 << 11));
  expect_refused(file.bytes(), "\"net\"", "complex");
}

TEST(Mat, RefusesIndicesOutOfRange) {
  MatBuilder file;
  expect_refused(file.add(file.sparse(2, 2, "net", {5}, {0, 1, 1}, {1})).bytes(), "column 1", "row 6", "1 .. 2");
}

TEST(Mat, RefusesColumnsThatDoNotFitTheirEntries) {
  for (const auto& ends : std::vector<std::vector<std::int32_t>>{{0, 1}, {0, 2, 1}, {0, 1, 9}, {1, 1, 1}, {-1, 0, 1}}) {
    MatBuilder file;
    expect_refused(file.add(file.sparse(2, 2, "net", {0}, ends, {1})).bytes(), "\"net\"", "damaged or truncated");
  }
}

TEST(Mat, RefusesAFullMatrixOfAnotherSize) {
  MatBuilder file;
  expect_refused(file.add(file.full(2, 2, "net", {1, 2, 3})).bytes(), "\"net\"", "damaged or truncated");
  MatBuilder huge;
  huge.add(huge.full(2'000'000'000, 2'000'000'000, "net", {1}));
  expect_refused(huge.bytes(), "\"net\"", "damaged or truncated");
}

TEST(Mat, RefusesValuesThatAreNotFinite) {
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    MatBuilder file;
    expect_refused(file.add(file.sparse(2, 2, "net", {1}, {0, 1, 1}, {value})).bytes(), "row 2, column 1",
                   "not a finite number");
  }
}

TEST(Mat, RefusesATruncatedFile) {
  for (const bool compress : {false, true}) {
    MatBuilder file;
    file.add(compress ? file.compressed(path_matrix(file)) : path_matrix(file));
    for (std::size_t size = 129; size < file.bytes().size(); ++size) {
      expect_refused(file.bytes().substr(0, size), "truncated");
    }
  }
}

/// Changes bytes of a file and reads it, `trials` times.
void attack(const std::string& whole, std::uint64_t trials) {
  const TempDir dir;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    Rng rng(trial, "change mat bytes");
    std::string bytes = whole;
    if (trial % 4 == 0) bytes.resize(rng.below(bytes.size()));
    for (std::uint64_t i = 1 + rng.below(4); i > 0 && !bytes.empty(); --i) {
      bytes[rng.below(bytes.size())] ^= static_cast<char>(1 << rng.below(8));
    }
    try {
      read_graph(dir.file(fmt::format("{}.mat", trial), bytes));
    } catch (const UserError&) {
    }
  }
}

TEST(Mat, EndsInUserErrorOrSuccessWhateverBitsAreFlipped) {
  MatBuilder file;
  file.add(path_matrix(file)).add(file.full(1, 3, "group", {1, 2, 2}));
  attack(file.bytes(), 2000);
  MatBuilder compressed;
  attack(compressed.add(compressed.compressed(path_matrix(compressed))).bytes(), 1000);
}

TEST(Mat, ReadsTheRealGraphs) {
  GIR_NEEDS_DATA();
  const auto data = *testing::data_directory();
  const Graph celegans = read_graph(data / "celegans" / "Celegans.mat").graph;
  EXPECT_EQ(celegans.num_nodes(), 297);
  EXPECT_EQ(count_undirected_edges(celegans), 2148);
  EXPECT_FALSE(celegans.directed());
  EXPECT_FALSE(celegans.weighted());
  const Graph pb = read_graph(data / "pb" / "PB.mat").graph;
  EXPECT_EQ(pb.num_nodes(), 1222);
  EXPECT_EQ(count_undirected_edges(pb), 16714);
  const Graph ns = read_graph(data / "ns" / "NS.mat").graph;
  EXPECT_EQ(ns.num_nodes(), 1589);
  EXPECT_EQ(count_undirected_edges(ns), 2742);
  int isolated = 0;
  for (NodeId v = 0; v < ns.num_nodes(); ++v) isolated += ns.out_degree(v) == 0 ? 1 : 0;
  EXPECT_EQ(isolated, 128);
}

TEST(Mat, EndsInUserErrorOrSuccessOnARealFileWithFlippedBits) {
  GIR_NEEDS_DATA();
  attack(testing::read_text(*testing::data_directory() / "celegans" / "Celegans.mat"), 500);
}

}  // namespace
}  // namespace gir
