#include "gir/io/planetoid.h"

#include <gmock/gmock.h>

#include "array_fixtures.h"
#include "gir/io/format.h"
#include "gir/io/npz.h"
#include "pickle_fixtures.h"
#include "support.h"
#include "zip_fixtures.h"

namespace gir {
namespace {

using namespace gir::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The files of a graph of six nodes: 0 to 2 in allx, 3 and 5 in test.index (5 first), 4 in no file.
struct TinyPlanetoid {
  TinyPlanetoid() {
    file("x", pickled_matrix({1, 2}, {0, 1}, {0}, {1}));
    file("y", pickled_floats({0, 1}, {1, 2}));
    file("allx", pickled_matrix({3, 2}, {0, 1, 1, 3}, {0, 0, 1}, {1, 2, 3}));
    file("ally", pickled_floats({0, 1, 1, 0, 0, 1}, {3, 2}));
    file("tx", pickled_matrix({2, 2}, {0, 1, 2}, {1, 0}, {5, 6}));
    file("ty", pickled_floats({1, 0, 0, 1}, {2, 2}));
    file("graph", "ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(I0\n(I1\nI5\nI1\nlI1\n(I0\nlI2\n(I2\nI3\nlu");
    folder.file("ind.tiny.test.index", "5\n3\n");
  }

  void file(std::string_view part, const std::string& content) const {
    folder.file(fmt::format("ind.tiny.{}", part), content + ".");
  }

  AttributedGraph read() const { return read_planetoid(folder.path(), "tiny"); }

  TempDir folder;
};

TEST(Planetoid, PutsTestRowsBackInTheOrderOfTheGraph) {
  const auto read = TinyPlanetoid().read();
  EXPECT_EQ(read.graph.num_nodes(), 6);
  const auto& features = std::get<SparseMatrix>(read.features);
  EXPECT_EQ(features.rows, 6);
  EXPECT_THAT(to_vector(features.offsets), ElementsAre(0, 1, 1, 3, 4, 4, 5));
  EXPECT_THAT(to_vector(features.column_indices), ElementsAre(0, 0, 1, 0, 1));
  EXPECT_THAT(to_vector(features.values), ElementsAre(1, 2, 3, 6, 5));
  EXPECT_THAT(to_vector(read.labels.classes), ElementsAre(1, 0, 1, 1, 0, 0));
}

TEST(Planetoid, MergesEdgesAndDropsSelfLoops) {
  const auto read = TinyPlanetoid().read();
  EXPECT_FALSE(read.graph.directed());
  const auto edges = undirected_edges(read.graph);
  EXPECT_THAT(to_vector(edges), ElementsAre(Arc{0, 1}, Arc{0, 5}, Arc{2, 3}));
  EXPECT_THAT(read.graph.self_loops(), IsEmpty());
}

TEST(Planetoid, HasThePublicSplit) {
  const auto read = TinyPlanetoid().read();
  ASSERT_TRUE(read.split);
  EXPECT_THAT(read.split->train, ElementsAre(0));
  EXPECT_THAT(read.split->valid, ElementsAre(1, 2));
  EXPECT_THAT(read.split->test, ElementsAre(3, 5));
}

TEST(Planetoid, NotesWhatItDropped) {
  const auto read = TinyPlanetoid().read();
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("1 self loop was dropped"), HasSubstr("1 nodes have no features")));
}

TEST(Planetoid, NamesAMissingFile) {
  const TinyPlanetoid files;
  std::filesystem::remove(files.folder / "ind.tiny.ty");
  expect_user_error([&] { files.read(); }, "ind.tiny.ty: cannot open");
}

TEST(Planetoid, RefusesFilesThatDoNotBelongTogether) {
  const TinyPlanetoid files;
  files.file("ty", pickled_floats({1, 0}, {1, 2}));
  expect_user_error([&] { files.read(); }, "ind.tiny.tx: has 2 rows, but ty has 1");
}

TEST(Planetoid, RefusesBadTestNodes) {
  const auto refuse = [](std::string_view lines, std::string_view why) {
    const TinyPlanetoid files;
    files.folder.file("ind.tiny.test.index", lines);
    expect_user_error([&] { files.read(); }, "ind.tiny.test.index", why);
  };
  refuse("5\nx\n", ":2: expected a node from 3 on, got \"x\"");
  refuse("5\n2\n", ":2: expected a node from 3 on, got \"2\"");
  refuse("5\n5\n", "names node 5 twice");
  refuse("5\n2000000000\n", "names node 2000000000, but has only 2 nodes");
}

TEST(Planetoid, RefusesEdgesToNodesThatDoNotExist) {
  const TinyPlanetoid files;
  files.file("graph", "}I0\n(I6\nls");
  expect_user_error([&] { files.read(); }, "ind.tiny.graph: names node 6, nodes are 0 .. 5");
  files.file("graph", "]");
  expect_user_error([&] { files.read(); }, "ind.tiny.graph: expected a dict of neighbours");
}

TEST(Planetoid, RefusesPicklesThatNameOtherFunctions) {
  const TinyPlanetoid files;
  files.file("allx", "cos\nsystem\n(S'true'\ntR");
  expect_user_error([&] { files.read(); }, "ind.tiny.allx: byte", "\"os.system\", which gir does not import");
}

TEST(Planetoid, DamagedFilesRaiseUserErrorsOnly) {
  const TinyPlanetoid files;
  std::uint64_t seed = 0;
  for (const char* part : {"allx", "ally", "tx", "y", "graph", "test.index"}) {
    const auto name = fmt::format("ind.tiny.{}", part);
    const std::string good = read_text(files.folder / name);
    attack(good, ++seed, 200, [&](const std::string& bytes) {
      files.folder.file(name, bytes);
      files.read();
    });
    files.folder.file(name, good);
  }
}

TEST(Planetoid, RealGraphsEqualTheirPlainCopies) {
  GIR_NEEDS_DATA();
  const auto data = *data_directory();
  for (const std::string name : {"cora", "citeseer"}) {
    SCOPED_TRACE(name);
    const auto plain = read_graph(data / name / (name + ".plain.npz"));
    const auto read = read_planetoid(data / name, name);
    expect_same_graph(read, plain);
    EXPECT_EQ(read.labels.names, plain.labels.names);
  }
}

TEST(GraphData, ReadsObjectsAndClassNames) {
  const TempDir folder;
  const auto read = [&](const std::string& metadata) {
    const std::vector<StoredMember> members = {
        {"adj_matrix.npy", npy_object(pickled_matrix({3, 3}, {0, 2, 3, 3}, {1, 0, 2}, {1, 1, 1}))},
        {"node_attr.npy", npy_object(pickled_matrix({3, 2}, {0, 0, 1, 1}, {1}, {4}))},
        {"node_label.npy", npy_file("<i4", "(3,)", raw<std::int32_t>({1, 0, 1}))},
        {"metadata.npy", npy_object(metadata)}};
    return read_graphdata_npz(folder.file("g.npz", zip_bytes(members)));
  };
  const auto graph = read("}S'class_names'\n](Vcat\nVdog\nes");
  EXPECT_THAT(to_vector(undirected_edges(graph.graph)), ElementsAre(Arc{0, 1}, Arc{1, 2}));
  EXPECT_THAT(graph.graph.self_loops(), IsEmpty());
  EXPECT_THAT(to_vector(graph.labels.classes), ElementsAre(1, 0, 1));
  EXPECT_THAT(graph.labels.names, ElementsAre("cat", "dog"));
  EXPECT_THAT(to_vector(std::get<SparseMatrix>(graph.features).offsets), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(read("}").labels.names, ElementsAre("0", "1"));
}

TEST(GraphData, RefusesPlainFiles) {
  const TempDir folder;
  const auto path = folder.file("g.npz", zip_bytes({{"adj_matrix.npy", npy_file("|u1", "()", "1")}}));
  expect_user_error([&] { read_graphdata_npz(path); }, "g.npz: adj_matrix: holds plain items");
}

TEST(GraphData, RefusesTheUsersOwnPickles) {
  const TempDir folder;
  const auto path = folder.file("g.npz", zip_bytes({{"edges.npy", npy_object("N")}}));
  expect_user_error([&] { read_graph(path); }, "g.npz: edges: is a Python pickle, which gir does not load");
}

TEST(GraphData, RealGraphsEqualTheirPlainCopies) {
  GIR_NEEDS_DATA();
  const auto data = *data_directory();
  for (const std::string name : {"amazon-computers/amazon_cs", "amazon-photo/amazon_photo", "coauthor-cs/coauthor_cs",
                                 "coauthor-physics/coauthor_phy"}) {
    SCOPED_TRACE(name);
    const auto read = read_graphdata_npz(data / (name + ".npz"));
    const auto plain = read_graph(data / (name + ".plain.npz"));
    expect_same_graph(read, plain);
    EXPECT_EQ(read.labels.num_classes(), plain.labels.num_classes());
  }
}

TEST(GraphData, RealClassesHaveTheirNames) {
  GIR_NEEDS_DATA();
  const auto data = *data_directory();
  EXPECT_EQ(read_graphdata_npz(data / "amazon-photo/amazon_photo.npz").labels.names[0], "Film Photography");
  EXPECT_THAT(read_graphdata_npz(data / "coauthor-physics/coauthor_phy.npz").labels.names,
              ElementsAre("phys rev d", "phys rev a", "phys rev b", "phys rev c", "phys rev e"));
}

}  // namespace
}  // namespace gir
