#include <gmock/gmock.h>

#include "array_fixtures.h"
#include "gir/io/format.h"
#include "gir/io/npy.h"
#include "support.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::vector<std::string> files_of(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST(NpyFolder, ReadsEdgesFeaturesAndLabels) {
  const TempDir folder;
  folder.file("edges.npy", npy_file("<i8", "(2, 2)", raw<std::int64_t>({0, 1, 2, 1})));
  folder.file("features.npy", npy_file("<f8", "(4, 1)", raw<double>({1, 2, 3, 4})));
  folder.file("labels.npy", npy_file("|u1", "(4, 1)", std::string("\0\1\1\0", 4)));
  folder.file("readme.txt", "not an array");
  const auto read = read_graph(folder.path());
  EXPECT_EQ(read.graph.num_nodes(), 4);
  EXPECT_FALSE(read.graph.directed());
  EXPECT_THAT(read.graph.out_neighbors(1), ElementsAre(0, 2));
  EXPECT_THAT(to_vector(std::get<DenseMatrix>(read.features).values), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(to_vector(read.labels.classes), ElementsAre(0, 1, 1, 0));
}

TEST(NpyFolder, NumNodesIncludesNodesWithoutEdges) {
  const TempDir folder;
  folder.file("edges.npy", npy_file("<i4", "(1, 2)", raw<std::int32_t>({0, 1})));
  folder.file("num_nodes.npy", npy_file("<i4", "()", raw<std::int32_t>({9})));
  EXPECT_EQ(read_graph(folder.path()).graph.num_nodes(), 9);
}

TEST(NpyFolder, DirectedIsWhatTheFolderSaysUnlessTheOptionsDo) {
  const TempDir folder;
  folder.file("edges.npy", npy_file("<i4", "(1, 2)", raw<std::int32_t>({0, 1})));
  folder.file("directed.npy", npy_file("<i4", "()", raw<std::int32_t>({1})));
  EXPECT_TRUE(read_graph(folder.path()).graph.directed());
  EXPECT_FALSE(read_graph(folder.path(), {.directed = false}).graph.directed());
}

TEST(NpyFolder, ReadsWhatItWrote) {
  for (int choice = 0; choice < 16; ++choice) {
    const TempDir folder;
    const auto graph = example_graph({.directed = (choice & 1) != 0,
                                      .weighted = (choice & 2) != 0,
                                      .text_names = (choice & 4) != 0,
                                      .sparse = (choice & 8) != 0});
    write_graph(folder / "g/", graph, "npy-folder");
    const auto read = read_graph(folder / "g");
    SCOPED_TRACE(choice);
    expect_same_graph(read, graph);
    EXPECT_EQ(read.labels.names, graph.labels.names);
    EXPECT_THAT(files_of(folder.path()), ElementsAre("g"));
  }
}

TEST(NpyFolder, FillsAnEmptyFolder) {
  const TempDir folder;
  std::filesystem::create_directory(folder / "g");
  write_graph(folder / "g", example_graph({}), "npy-folder");
  EXPECT_THAT(files_of(folder / "g"),
              UnorderedElementsAre("edges.npy", "directed.npy", "num_nodes.npy", "node_ids.npy", "features.npy",
                                   "labels.npy", "class_names.npy", "train.npy", "val.npy", "test.npy"));
}

TEST(NpyFolder, RefusesToWriteIntoAFolderWithFiles) {
  const TempDir folder;
  folder.file("g/precious.txt", "x");
  expect_user_error([&] { write_graph(folder / "g", example_graph({}), "npy-folder"); }, "g: is not empty");
  EXPECT_THAT(files_of(folder / "g"), ElementsAre("precious.txt"));
  folder.file("file", "x");
  expect_user_error([&] { write_graph(folder / "file", example_graph({}), "npy-folder"); }, "is not a folder");
  expect_user_error([&] { write_graph(folder / "no/g", example_graph({}), "npy-folder"); }, "cannot create");
}

TEST(NpyFolder, LeavesNothingBehindWhenWritingFails) {
  const TempDir folder;
  AttributedGraph graph;
  graph.graph =
      build_graph({.arcs = {{0, 1}}, .weights = {}, .directed = false, .names = NodeNames::strings({"a", "\xff"})});
  expect_user_error([&] { write_graph(folder / "g", graph, "npy-folder"); }, "g: node_ids: string 1", "is not UTF-8");
  EXPECT_THAT(files_of(folder.path()), IsEmpty());
}

TEST(NpyFolder, NamesTheFileThatIsWrong) {
  const TempDir folder;
  folder.file("edges.npy", npy_file("<i4", "(1, 2)", raw<std::int32_t>({0, 1})));
  folder.file("labels.npy", "junk");
  expect_user_error([&] { read_graph(folder.path()); }, "/labels.npy: is not a .npy file");
}

TEST(NpyFolder, RefusesAFolderWithoutEdges) {
  const TempDir folder;
  expect_user_error([&] { read_graph(folder.path(), {.format = "npy-folder"}); }, "has no edges.npy");
}

TEST(NpyFile, ASingleArrayIsAGraph) {
  const TempDir folder;
  const auto path = folder.file("e.npy", npy_file("<u2", "(2, 2)", raw<std::uint16_t>({0, 3, 3, 1})));
  EXPECT_EQ(read_graph(path).graph.num_nodes(), 4);
  EXPECT_EQ(read_graph(path, {.num_nodes = 6}).graph.num_nodes(), 6);
  EXPECT_TRUE(read_graph(path, {.directed = true}).graph.directed());
  EXPECT_THAT(read_graph(path).graph.out_neighbors(3), ElementsAre(0, 1));
}

TEST(NpyFile, RefusesWhatIsNotAListOfEdges) {
  const TempDir folder;
  const auto lying = folder.file("t.npy", npy_file("<i4", "(2, 3)", raw<std::int32_t>({0, 1, 2, 1, 2, 0})));
  expect_user_error([&] { read_graph(lying); }, "t.npy: has shape [2, 3]", "[save the transpose]");
  const auto outside = folder.file("o.npy", npy_file("<i4", "(1, 2)", raw<std::int32_t>({0, 7})));
  expect_user_error([&] { read_graph(outside, {.num_nodes = 3}); }, "o.npy: row 0 joins 0 and 7, nodes are 0 .. 2");
}

}  // namespace
}  // namespace gir
