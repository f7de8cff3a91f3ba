#include "gir/io/npz.h"

#include <gmock/gmock.h>

#include "array_fixtures.h"
#include "gir/io/format.h"
#include "python_fixtures.h"
#include "support.h"
#include "zip_fixtures.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;

std::string edges_npy() { return npy_file("<i4", "(2, 2)", raw<std::int32_t>({0, 1, 1, 2})); }

/// Reads the array `name` from a file of these bytes.
NpyArray read_array(const TempDir& folder, const std::string& bytes, std::string_view name) {
  return NpzFile(folder.file("a.npz", bytes)).read(name);
}

TEST(Npz, ListsAndReadsStoredArrays) {
  const TempDir folder;
  const auto bytes = zip_bytes({{"edges.npy", edges_npy()}, {"n.npy", npy_file("|u1", "()", "\x05")}, {"x.txt", "hi"}});
  const NpzFile file(folder.file("a.npz", bytes));
  EXPECT_THAT(file.names(), ElementsAre("edges", "n"));
  EXPECT_TRUE(file.has("n"));
  EXPECT_FALSE(file.has("x"));
  EXPECT_THAT(file.read("edges").to<std::int32_t>(), ElementsAre(0, 1, 1, 2));
  EXPECT_EQ(file.read("n").to_integer(), 5);
  EXPECT_EQ(file.read("n").where(), (folder / "a.npz").string() + ": n");
}

TEST(Npz, ReadsWhatItWrote) {
  const TempDir folder;
  std::vector<std::int64_t> zeros(100000, 0);
  const std::vector<float> none;
  write_npz(folder / "a.npz", {{"zeros", npy_view(std::span<const std::int64_t>(zeros), {100, 1000})},
                               {"none", npy_view(std::span<const float>(none), {0, 3})}});
  EXPECT_LT(std::filesystem::file_size(folder / "a.npz"), 5000u);
  const NpzFile file(folder / "a.npz");
  EXPECT_EQ(to_vector(file.read("zeros").to<std::int64_t>()), zeros);
  EXPECT_THAT(file.read("none").shape(), ElementsAre(0, 3));
}

TEST(Npz, TheSameArraysGiveTheSameBytes) {
  const TempDir folder;
  const std::vector<float> values = {1, 2};
  for (const char* name : {"a.npz", "b.npz"}) write_npz(folder / name, {{"v", npy_view(std::span(values), {2})}});
  EXPECT_EQ(read_text(folder / "a.npz"), read_text(folder / "b.npz"));
}

TEST(Npz, LeavesNoTemporaryFile) {
  const TempDir folder;
  const std::vector<float> values = {1, 2};
  const std::vector<NpzMember> members = {{"v", npy_view(std::span(values), {2})}};
  write_npz(folder / "a.npz", members);
  expect_user_error([&] { write_npz(folder / "no/a.npz", members); }, "cannot create");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  EXPECT_THAT(names, ElementsAre("a.npz"));
}

TEST(Npz, ListsTheArraysWhenOneIsMissing) {
  const TempDir folder;
  expect_user_error(
      [&] {
        read_array(folder, zip_bytes({{"edges.npy", edges_npy()}}), "nodes");
      },
      "a.npz: has no array \"nodes\" [it has: edges]");
}

TEST(Npz, RefusesMissingFilesAndFolders) {
  const TempDir folder;
  expect_user_error([&] { NpzFile(folder / "none.npz"); }, "none.npz: cannot open");
  expect_user_error([&] { NpzFile(folder.path()); }, "is a directory");
}

TEST(Npz, RefusesOtherFiles) {
  const TempDir folder;
  expect_user_error([&] { read_array(folder, "hello", "x"); },
                    "a.npz: cannot open as a zip archive: not a zip archive");
  expect_user_error([&] { read_array(folder, "", "x"); }, "cannot open as a zip archive");
  const auto good = zip_bytes({{"edges.npy", edges_npy()}});
  expect_user_error([&] { read_array(folder, good.substr(0, good.size() - 40), "edges"); }, "cannot open");
}

TEST(Npz, RefusesADamagedArray) {
  const TempDir folder;
  const auto bytes = zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .crc_error = 1}});
  expect_user_error([&] { read_array(folder, bytes, "edges"); }, "edges: is damaged", "[get the file again]");
}

TEST(Npz, RefusesEncryptedArrays) {
  const TempDir folder;
  const auto bytes = zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .flags = 1}});
  expect_user_error([&] { read_array(folder, bytes, "edges"); }, "edges: is encrypted", "[save it without a password]");
}

TEST(Npz, RefusesOtherCompressions) {
  const TempDir folder;
  const auto bytes = zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .method = 12}});
  expect_user_error([&] { read_array(folder, bytes, "edges"); }, "compressed by method 12");
}

TEST(Npz, RefusesImpossibleSizes) {
  const TempDir folder;
  const auto stored = zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .claimed_size = 4000000000u}});
  expect_user_error([&] { read_array(folder, stored, "edges"); }, "claims 4000000000 bytes", "which cannot be");
  const auto deflated =
      zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .method = 8, .claimed_size = 4000000000u}});
  expect_user_error([&] { read_array(folder, deflated, "edges"); }, "claims 4000000000 bytes", "which cannot be");
  const auto packed = zip_bytes({{.name = "edges.npy",
                                  .bytes = edges_npy(),
                                  .method = 8,
                                  .claimed_size = 4000000000u,
                                  .claimed_packed_size = 3000000000u}});
  EXPECT_THROW(read_array(folder, packed, "edges"), UserError);
}

TEST(Npz, RefusesAMemberThatIsNotAsLongAsItClaims) {
  const TempDir folder;
  const auto size = static_cast<std::uint32_t>(edges_npy().size());
  const auto shorter = zip_bytes({{.name = "edges.npy", .bytes = edges_npy(), .claimed_size = size - 4}});
  EXPECT_THROW(read_array(folder, shorter, "edges"), UserError);
}

TEST(Npz, RefusesAnArrayWhoseHeaderDisagreesWithItsMember) {
  const TempDir folder;
  const auto bytes = zip_bytes({{"edges.npy", npy_file("<i4", "(1000000, 2)", "12345678")}});
  expect_user_error([&] { read_array(folder, bytes, "edges"); }, "a.npz: edges: shape [1000000, 2]",
                    "but 8 are stored");
}

TEST(Npz, RefusesTwoArraysOfTheSameName) {
  const TempDir folder;
  const auto bytes = zip_bytes({{"edges.npy", edges_npy()}, {"edges.npy", edges_npy()}});
  expect_user_error([&] { read_array(folder, bytes, "edges"); }, "holds two members called \"edges.npy\"");
}

TEST(Npz, RefusesNamesWithFolders) {
  const TempDir folder;
  for (const char* name : {"../edges.npy", "a/edges.npy", "/edges.npy", "..\\edges.npy"}) {
    const auto bytes = zip_bytes({{name, edges_npy()}});
    expect_user_error([&] { read_array(folder, bytes, "edges"); }, "an array in a folder");
  }
}

TEST(Npz, RefusesPickledArrays) {
  const TempDir folder;
  const auto bytes = zip_bytes({{"x.npy", from_hex(kNpyObject)}});
  expect_user_error([&] { read_array(folder, bytes, "x"); }, "a.npz: x: is a Python pickle, which gir does not load");
}

TEST(Npz, DamagedArchivesRaiseUserErrorsOnly) {
  const TempDir folder;
  const auto use = [&](const std::string& bytes) {
    const NpzFile file(folder.file("a.npz", bytes));
    for (const std::string& name : file.names()) file.read_bytes(name);
    for (const std::string& name : file.names()) file.read(name);
  };
  attack(zip_bytes({{"edges.npy", edges_npy()}, {"n.npy", npy_file("|u1", "()", "\x05")}}), 5, 400, use);
  attack(from_hex(kScipyMatrix), 6, 400, use);
}

// Graphs.

struct NamedArray {
  std::string name;
  std::string npy;
};

AttributedGraph read_arrays(const std::vector<NamedArray>& arrays, const ReadOptions& options = {}) {
  const TempDir folder;
  std::vector<StoredMember> members;
  for (const auto& [name, npy] : arrays) members.push_back({name + ".npy", npy});
  return read_graph(folder.file("g.npz", zip_bytes(members)), options);
}

std::string numbers(const std::vector<std::int32_t>& values) {
  return npy_file("<i4", fmt::format("({},)", values.size()), raw(values));
}

std::string reals(const std::vector<float>& values) {
  return npy_file("<f4", fmt::format("({},)", values.size()), raw(values));
}

std::string pairs(const std::vector<std::int32_t>& values) {
  return npy_file("<i4", fmt::format("({}, 2)", values.size() / 2), raw(values));
}

TEST(NpzGraph, EdgesAloneMakeAnUndirectedGraph) {
  const auto read = read_arrays({{"edges", pairs({0, 1, 3, 1})}});
  EXPECT_FALSE(read.graph.directed());
  EXPECT_EQ(read.graph.num_nodes(), 4);
  EXPECT_THAT(read.graph.out_neighbors(1), ElementsAre(0, 3));
  EXPECT_TRUE(read.labels.empty());
  EXPECT_FALSE(read.split);
}

TEST(NpzGraph, DirectedIsWhatTheFileSaysUnlessTheOptionsDo) {
  const std::vector<NamedArray> arrays = {{"edges", pairs({0, 1})}, {"directed", npy_file("|b1", "()", "\x01")}};
  EXPECT_TRUE(read_arrays(arrays).graph.directed());
  EXPECT_FALSE(read_arrays(arrays, {.directed = false}).graph.directed());
  EXPECT_TRUE(read_arrays({{"edges", pairs({0, 1})}}, {.directed = true}).graph.directed());
}

TEST(NpzGraph, SparseFeaturesAreSortedAndRepetitionsAdded) {
  const auto read = read_arrays({{"edges", pairs({0, 1})},
                                 {"attr_indptr", numbers({0, 3, 4})},
                                 {"attr_indices", numbers({2, 0, 2, 1})},
                                 {"attr_data", reals({1, 2, 3, 4})},
                                 {"attr_shape", numbers({2, 3})}});
  const auto& features = std::get<SparseMatrix>(read.features);
  EXPECT_THAT(to_vector(features.offsets), ElementsAre(0, 2, 3));
  EXPECT_THAT(to_vector(features.column_indices), ElementsAre(0, 2, 1));
  EXPECT_THAT(to_vector(features.values), ElementsAre(2, 4, 4));
}

TEST(NpzGraph, LabelsAreNumbersOrStrings) {
  const auto numbered = read_arrays({{"edges", pairs({0, 1})}, {"labels", numbers({7, -1, 3})}}).labels;
  EXPECT_THAT(to_vector(numbered.classes), ElementsAre(1, Labels::kNone, 0));
  EXPECT_THAT(numbered.names, ElementsAre("3", "7"));
  const auto named = read_arrays({{"edges", pairs({0, 1})}, {"labels", npy_file("|S1", "(2,)", "ba")}}).labels;
  EXPECT_THAT(to_vector(named.classes), ElementsAre(1, 0));
}

TEST(NpzGraph, ReadsWhatSciPySaved) {
  const TempDir folder;
  const auto read = read_graph(folder.file("m.npz", from_hex(kScipyMatrix)));
  EXPECT_FALSE(read.graph.directed());
  ASSERT_TRUE(read.graph.weighted());
  EXPECT_THAT(read.graph.out_neighbors(1), ElementsAre(0, 2));
  EXPECT_THAT(read.graph.out().row_weights(1), ElementsAre(1, 2));
  EXPECT_TRUE(read_graph(folder / "m.npz", {.directed = true}).graph.directed());
}

/// A matrix of 3 nodes with the entries (0, 1) and (2, 1) and these values.
std::vector<NamedArray> scipy_matrix(const std::string& format, const std::vector<float>& values) {
  std::vector<NamedArray> arrays = {
      {"format", npy_file("|S3", "()", format)}, {"shape", numbers({3, 3})}, {"data", reals(values)}};
  if (format == "csr") {
    arrays.push_back({"indptr", numbers({0, 1, 1, 2})});
    arrays.push_back({"indices", numbers({1, 1})});
  } else if (format == "csc") {
    arrays.push_back({"indptr", numbers({0, 0, 2, 2})});
    arrays.push_back({"indices", numbers({0, 2})});
  } else {
    arrays.push_back({"row", numbers({0, 2})});
    arrays.push_back({"col", numbers({1, 1})});
  }
  return arrays;
}

TEST(NpzGraph, AMatrixThatIsNotSymmetricIsDirectedInEveryFormat) {
  for (const char* format : {"csr", "csc", "coo"}) {
    const auto graph = read_arrays(scipy_matrix(format, {1, 1})).graph;
    EXPECT_TRUE(graph.directed()) << format;
    EXPECT_FALSE(graph.weighted()) << format;
    EXPECT_THAT(graph.in_neighbors(1), ElementsAre(0, 2)) << format;
    EXPECT_EQ(graph.num_arcs(), 2) << format;
  }
  EXPECT_EQ(read_arrays(scipy_matrix("csr", {1, 1}), {.directed = false}).graph.num_arcs(), 4);
  EXPECT_TRUE(read_arrays(scipy_matrix("csr", {1, 5})).graph.weighted());
}

TEST(NpzGraph, ASymmetricPatternWithOtherValuesIsDirected) {
  const auto read = [](std::vector<float> values) {
    return read_arrays({{"adj_indptr", numbers({0, 1, 3})},
                        {"adj_indices", numbers({1, 0, 1})},
                        {"adj_data", reals(values)},
                        {"adj_shape", numbers({2, 2})},
                        {"labels", numbers({0, 1})}});
  };
  EXPECT_TRUE(read({1, 2, 3}).graph.directed());
  const auto symmetric = read({2, 2, 3});
  EXPECT_FALSE(symmetric.graph.directed());
  EXPECT_THAT(symmetric.graph.self_loops(), ElementsAre(1));
  EXPECT_THAT(symmetric.graph.self_loop_weights(), ElementsAre(3));
  EXPECT_EQ(symmetric.labels.num_classes(), 2);
}

TEST(NpzGraph, RefusesMatricesThatAreNotAGraph) {
  auto wide = scipy_matrix("csr", {1, 1});
  wide[1].npy = numbers({3, 4});
  expect_user_error([&] { read_arrays(wide); }, "g.npz: shape: the matrix has 3 rows but 4 columns");
  auto other = scipy_matrix("csr", {1, 1});
  other[0].npy = npy_file("|S3", "()", "dia");
  expect_user_error([&] { read_arrays(other); }, "g.npz: format: is \"dia\"", "tocsr");
  auto outside = scipy_matrix("coo", {1, 1});
  outside[3].npy = numbers({0, 3});
  expect_user_error([&] { read_arrays(outside); }, "row 1 joins 3 and 1, nodes are 0 .. 2");
  expect_user_error([] { read_arrays(scipy_matrix("coo", {1})); }, "have 2, 2 and 1 items");
  expect_user_error([] { read_arrays(scipy_matrix("csr", {1, NAN})); }, "g.npz: data: item [1] is nan");
}

TEST(NpzGraph, RefusesBrokenCompressedRows) {
  const auto read = [](std::vector<std::int32_t> offsets, std::vector<std::int32_t> columns) {
    read_arrays({{"edges", pairs({0, 1})},
                 {"attr_indptr", numbers(offsets)},
                 {"attr_indices", numbers(columns)},
                 {"attr_data", reals({1, 2})},
                 {"attr_shape", numbers({2, 3})}});
  };
  expect_user_error([&] { read({0, 1, 2, 2}, {0, 1}); }, "g.npz: attr_indptr: has 4 items");
  expect_user_error([&] { read({1, 1, 2}, {0, 1}); }, "begins with 1");
  expect_user_error([&] { read({0, 3, 2}, {0, 1}); }, "item 2 is 2, less than the one before");
  expect_user_error([&] { read({0, 1, 3}, {0, 1}); }, "ends with 3, but 2");
  expect_user_error([&] { read({0, 1, 2}, {0, 3}); }, "g.npz: attr_indices: item 1 is 3, columns are 0 .. 2");
  expect_user_error([&] { read({0, 1, 2}, {0, -1}); }, "item 1 is -1");
  expect_user_error([&] { read({0, 1, 2}, {0}); }, "g.npz: attr_indices: has 1 items, but");
}

TEST(NpzGraph, RefusesInvalidEdges) {
  const auto read = [](const std::string& edges) { read_arrays({{"edges", edges}}); };
  expect_user_error([&] { read(npy_file("|i1", "(2, 3)", "\1\2\3\4\5\6")); }, "g.npz: edges: has shape [2, 3]",
                    "[save the transpose]");
  expect_user_error([&] { read(numbers({1, 2})); }, "has shape [2]");
  expect_user_error([&] { read(pairs({0, 1, 2, -1})); }, "g.npz: edges: row 1 joins 2 and -1");
  expect_user_error(
      [&] {
        read(npy_file("<i8", "(1, 2)", raw<std::int64_t>({0, 1ll << 31})));
      },
      "item [0, 1] is 2147483648");
  expect_user_error([&] { read(npy_file("|S1", "(1, 2)", "ab")); }, "g.npz: edges: holds strings");
}

TEST(NpzGraph, RefusesArraysThatDisagreeOnTheNodes) {
  const NamedArray edges{"edges", pairs({0, 1})};
  expect_user_error(
      [&] {
        read_arrays({edges, {"num_nodes", numbers({3})}, {"labels", numbers({0, 1})}});
      },
      "g.npz: labels: implies 2 nodes, but", "num_nodes implies 3");
  expect_user_error(
      [&] {
        read_arrays({{"edges", pairs({0, 5})}, {"labels", numbers({0, 1})}});
      },
      "row 0 joins 0 and 5, nodes are 0 .. 1");
  expect_user_error([&] { read_arrays({edges, {"num_nodes", numbers({-1})}}); }, "implies -1 nodes");
  expect_user_error(
      [&] {
        read_arrays({edges, {"num_nodes", numbers({3})}}, {.num_nodes = 4});
      },
      "`num-nodes` implies 4");
}

TEST(NpzGraph, RefusesMoreNodesThanFitInMemory) {
  const auto huge = npy_file("<i8", "()", raw<std::int64_t>({(1ll << 31) + 1}));
  expect_user_error([&] { read_arrays({{"edges", pairs({0, 1})}, {"num_nodes", huge}}); }, "a graph has 0 to");
}

TEST(NpzGraph, RefusesInvalidAttributes) {
  const NamedArray edges{"edges", pairs({0, 1})};
  const auto refuse = [&](std::vector<NamedArray> more, std::string_view why) {
    more.push_back(edges);
    expect_user_error([&] { read_arrays(more); }, why);
  };
  refuse({{"weights", reals({1, 2})}}, "g.npz: weights: has shape [2], one weight for each of the 1 edges");
  refuse({{"weights", reals({INFINITY})}}, "g.npz: weights: item [0] is inf");
  refuse({{"directed", numbers({2})}}, "g.npz: directed: is 2, 0 or 1");
  refuse({{"features", reals({1, 2})}}, "g.npz: features: has shape [2], expected one row per node");
  refuse({{"features", npy_file("<f4", "(2, 1)", raw<float>({1, NAN}))}}, "g.npz: features: item [1, 0] is nan");
  refuse({{"features", npy_file("<f4", "(2, 0)", "")}, {"attr_data", reals({})}}, "features twice");
  refuse({{"attr_data", reals({})}}, "has no array \"attr_shape\"");
  refuse({{"labels", pairs({0, 1, 2, 3})}}, "g.npz: labels: has shape [2, 2], expected one label per node");
  refuse({{"labels", numbers({0, 2})}, {"class_names", npy_file("|S1", "(2,)", "ab")}}, "item 1 is 2, but class_names");
  refuse({{"labels", numbers({0, 1})}, {"class_names", npy_file("|S1", "(2,)", "aa")}}, "\"a\" occurs twice");
  refuse({{"node_ids", numbers({5, 5})}}, "g.npz: node_ids: 5 occurs twice");
  refuse({{"node_ids", npy_file("|S1", "(2,)", "xx")}}, "g.npz: node_ids: \"x\" occurs twice");
}

TEST(NpzGraph, RefusesInvalidSplits) {
  const auto refuse = [](std::vector<std::int32_t> train, std::vector<std::int32_t> test, std::string_view why) {
    expect_user_error(
        [&] {
          read_arrays(
              {{"edges", pairs({0, 1})}, {"train", numbers(train)}, {"val", numbers({})}, {"test", numbers(test)}});
        },
        why);
  };
  refuse({0}, {2}, "test holds node 2, nodes are 0 .. 1");
  refuse({0}, {0}, "test holds node 0, which is in the split already");
  expect_user_error([] { read_arrays({{"edges", pairs({0, 1})}, {"train", numbers({0})}}); }, "no val");
}

TEST(NpzGraph, ReadsTheArraysOfPyTorchGeometric) {
  const auto whole = [](const std::string& shape, const std::vector<std::int64_t>& values) {
    return npy_file("<i8", shape, raw(values));
  };
  const auto x = npy_file("<f4", "(4, 1)", raw(std::vector<float>{1, 2, 3, 4}));
  const auto data = read_arrays(
      {{"edge_index", whole("(2, 4)", {0, 1, 1, 2, 1, 0, 2, 1})}, {"x", x}, {"y", whole("(4,)", {0, 1, 1, 0})}});
  EXPECT_EQ(data.graph.num_nodes(), 4) << "node 3 has no edges, but a row of x";
  EXPECT_FALSE(data.graph.directed()) << "every edge appears in both directions";
  EXPECT_THAT(data.labels.classes.span(), ElementsAre(0, 1, 1, 0));
  EXPECT_EQ(num_features(data.features), 1);
  EXPECT_TRUE(data.notes.empty());
  EXPECT_TRUE(read_arrays({{"edge_index", whole("(2, 1)", {0, 1})}}).graph.directed());
  const auto weighted = read_arrays({{"edge_index", whole("(2, 2)", {0, 1, 1, 0})},
                                     {"edge_weight", npy_file("<f4", "(2,)", raw(std::vector<float>{2, 2}))}});
  EXPECT_TRUE(weighted.graph.weighted() && !weighted.graph.directed());
  expect_user_error([&] { read_arrays({{"edge_index", pairs({0, 1, 1, 2, 2, 0})}}); }, "edge_index", "[2, edges]");
}

TEST(NpzGraph, ReadsTheMasksOfPyTorchGeometric) {
  const auto mask = [](const std::string& bytes) { return npy_file("|b1", fmt::format("({},)", bytes.size()), bytes); };
  const std::string train("\1\0\0", 3);
  const std::string valid("\0\1\0", 3);
  const std::string test("\0\0\1", 3);
  const auto data = read_arrays({{"edges", pairs({0, 1, 1, 2})},
                                 {"train_mask", mask(train)},
                                 {"val_mask", mask(valid)},
                                 {"test_mask", mask(test)}});
  ASSERT_TRUE(data.split);
  EXPECT_THAT(data.split->train, ElementsAre(0));
  EXPECT_THAT(data.split->valid, ElementsAre(1));
  EXPECT_THAT(data.split->test, ElementsAre(2));
  EXPECT_TRUE(data.notes.empty());
  const auto two =
      read_arrays({{"edges", pairs({0, 1, 1, 2})}, {"train_mask", mask(train)}, {"test_mask", mask(test)}});
  EXPECT_FALSE(two.split);
  ASSERT_EQ(two.notes.size(), 1U);
  EXPECT_NE(two.notes[0].find("train_mask, test_mask not used"), std::string::npos) << two.notes[0];
  expect_user_error(
      [&] {
        read_arrays({{"edges", pairs({0, 1})}, {"num_nodes", numbers({2})}, {"train_mask", mask(train)}});
      },
      "train_mask", "3 nodes");
}

TEST(NpzGraph, NamesTheArraysThatAreNotUsed) {
  const auto data = read_arrays({{"edges", pairs({0, 1})}, {"x", numbers({1})}, {"y", numbers({1})}});
  ASSERT_EQ(data.notes.size(), 1U);
  EXPECT_NE(data.notes[0].find("g.npz: arrays that are not used: x, y"), std::string::npos) << data.notes[0];
}

TEST(NpzGraph, ListsTheArraysOfAnUnknownLayout) {
  expect_user_error(
      [] {
        read_arrays({{"foo", numbers({1})}, {"bar", numbers({1})}});
      },
      "its arrays are: foo, bar", "[known: edges");
}

TEST(NpzGraph, ReadsWhatItWrote) {
  const TempDir folder;
  for (int choice = 0; choice < 16; ++choice) {
    const auto graph = example_graph({.directed = (choice & 1) != 0,
                                      .weighted = (choice & 2) != 0,
                                      .text_names = (choice & 4) != 0,
                                      .sparse = (choice & 8) != 0});
    write_graph(folder / "g.npz", graph);
    const auto read = read_graph(folder / "g.npz");
    SCOPED_TRACE(choice);
    expect_same_graph(read, graph);
    EXPECT_EQ(read.labels.names, graph.labels.names);
  }
}

TEST(NpzGraph, ClassesThatDoNotOccurKeepTheirNumber) {
  const TempDir folder;
  auto graph = example_graph({});
  graph.labels = Labels{.classes = {2, 2, 0, 0, 2}, .names = {"0", "1", "2"}};
  write_graph(folder / "g.npz", graph);
  const auto read = read_graph(folder / "g.npz");
  EXPECT_EQ(to_vector(read.labels.classes), to_vector(graph.labels.classes));
  EXPECT_EQ(read.labels.names, graph.labels.names);
}

TEST(NpzGraph, AnEmptyGraphReadsBack) {
  const TempDir folder;
  AttributedGraph graph;
  graph.graph = build_graph({.arcs = {}, .weights = {}, .directed = true, .names = NodeNames::positions(3)});
  write_graph(folder / "g.npz", graph);
  expect_same_graph(read_graph(folder / "g.npz"), graph);
}

TEST(NpzGraph, RandomGraphsReadBack) {
  const TempDir folder;
  Rng rng(3, "npz graphs");
  for (int round = 0; round < 10; ++round) {
    const auto nodes = static_cast<std::int64_t>(1 + rng.below(300));
    EdgeInput input{.arcs = Array<Arc>(static_cast<std::int64_t>(rng.below(2000))),
                    .weights = {},
                    .directed = rng.below(2) == 1,
                    .names = NodeNames::positions(nodes)};
    const auto node = [&] { return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes))); };
    for (Arc& arc : input.arcs) arc = {node(), node()};
    if (rng.below(2) == 1) {
      input.weights = Array<float>(input.arcs.size());
      for (float& weight : input.weights) weight = static_cast<float>(rng.uniform());
    }
    AttributedGraph graph;
    graph.graph = build_graph(std::move(input));
    write_graph(folder / "g.npz", graph);
    expect_same_graph(read_graph(folder / "g.npz"), graph);
  }
}

TEST(NpzGraph, RealCopiesHaveTheCountsOfTheirSources) {
  GIR_NEEDS_DATA();
  const auto data = *data_directory();
  const auto cora = read_graph(data / "cora/cora.plain.npz");
  EXPECT_EQ(cora.graph.num_nodes(), 2708);
  EXPECT_EQ(count_undirected_edges(cora.graph), 5278);
  EXPECT_EQ(num_features(cora.features), 1433);
  EXPECT_EQ(cora.labels.num_classes(), 7);
  ASSERT_TRUE(cora.split);
  EXPECT_EQ(cora.split->train.size(), 140u);
  EXPECT_EQ(cora.split->valid.size(), 500u);
  EXPECT_EQ(cora.split->test.size(), 1000u);
  const TempDir folder;
  write_graph(folder / "cora.npz", cora);
  expect_same_graph(read_graph(folder / "cora.npz"), cora);
}

TEST(NpzGraph, DamagedGraphsRaiseUserErrorsOnly) {
  const TempDir folder;
  // Members are not compressed, so that the damage is in the arrays; checksums are recomputed to let it pass.
  const std::vector<std::string> names = {"edges", "labels", "attr_indptr", "attr_indices", "attr_data", "attr_shape"};
  const std::vector<std::string> arrays = {pairs({0, 1, 1, 2}), numbers({0, 1, 0}), numbers({0, 1, 2, 3}),
                                           numbers({0, 1, 1}),  reals({1, 2, 3}),   numbers({3, 2})};
  for (std::size_t hurt = 0; hurt < arrays.size(); ++hurt) {
    attack(arrays[hurt], hurt, 200, [&](const std::string& damaged) {
      std::vector<StoredMember> members;
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        members.push_back({names[i] + ".npy", i == hurt ? damaged : arrays[i]});
      }
      read_graph(folder.file("g.npz", zip_bytes(members)));
    });
  }
}

}  // namespace
}  // namespace gir
