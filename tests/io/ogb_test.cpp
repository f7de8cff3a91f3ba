#include "gir/io/ogb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "gir/core/random.h"
#include "gir/io/gzip.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using ::testing::HasSubstr;
using testing::TempDir;

/// Files of a small data set: the arcs 0 -> 1 -> 2 and a node without edges.
std::map<std::string, std::string> small_dataset() {
  return {{"raw/num-node-list.csv.gz", "4\n"},
          {"raw/num-edge-list.csv.gz", "2\n"},
          {"raw/edge.csv.gz", "0,1\n1,2\n"},
          {"raw/node-label.csv.gz", "3\n0\n3\n0\n"},
          {"raw/node-feat.csv.gz", "0.5,-1\n1,2\n3,4\n0,1e-3\n"},
          {"split/time/train.csv.gz", "0\n3\n"},
          {"split/time/valid.csv.gz", "2\n"},
          {"split/time/test.csv.gz", "1\n"}};
}

class Folder {
 public:
  explicit Folder(const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) dir_.file("set/" + name, gzip(text));
  }

  std::filesystem::path path() const { return dir_ / "set"; }

 private:
  TempDir dir_;
};

AttributedGraph read(const std::map<std::string, std::string>& files, const ReadOptions& options = {}) {
  return read_graph(Folder(files).path(), options);
}

/// Read options with the option `directed`.
ReadOptions directed(bool value) {
  ReadOptions options;
  options.directed = value;
  return options;
}

/// The small dataset with `text` in place of one file must be refused with all of `parts`.
template <typename... Parts>
void expect_refused(const std::string& name, const std::string& text, const Parts&... parts) {
  auto files = small_dataset();
  files[name] = text;
  expect_user_error([&] { read(files); }, parts...);
}

TEST(Ogb, ReadsAllFilesOfAFolder) {
  const AttributedGraph result = read(small_dataset());
  EXPECT_TRUE(result.graph.directed());
  EXPECT_EQ(result.graph.num_nodes(), 4);
  EXPECT_THAT(result.graph.out_neighbors(0), ElementsAre(1));
  EXPECT_THAT(result.graph.out_neighbors(1), ElementsAre(2));
  EXPECT_EQ(result.graph.names().name(3), "3");
  EXPECT_THAT(result.labels.classes.span(), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(result.labels.names, ElementsAre("0", "3"));
  const auto& features = std::get<DenseMatrix>(result.features);
  EXPECT_EQ(features.rows, 4);
  EXPECT_EQ(features.columns, 2);
  EXPECT_THAT(features.values.span(), ElementsAre(0.5f, -1.0f, 1.0f, 2.0f, 3.0f, 4.0f, 0.0f, 1e-3f));
  EXPECT_THAT(result.split->train, ElementsAre(0, 3));
  EXPECT_THAT(result.split->valid, ElementsAre(2));
  EXPECT_THAT(result.split->test, ElementsAre(1));
  EXPECT_TRUE(result.notes.empty());
}

TEST(Ogb, RecognisesAFolderByItsEdges) {
  const Folder folder(small_dataset());
  EXPECT_TRUE(is_ogb_folder(folder.path()));
  EXPECT_FALSE(is_ogb_folder(folder.path() / "raw"));
}

TEST(Ogb, FollowsTheOptionsOverTheLayout) { EXPECT_EQ(read(small_dataset(), directed(false)).graph.num_arcs(), 4); }

TEST(Ogb, NotesMissingFeatures) {
  auto files = small_dataset();
  files.erase("raw/node-feat.csv.gz");
  const AttributedGraph result = read(files);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(result.features));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_THAT(result.notes[0], HasSubstr("set/raw/node-feat.csv.gz"));
  EXPECT_THAT(result.notes[0], HasSubstr("without node features"));
}

TEST(Ogb, ReadsWithoutLabelsAndSplit) {
  auto files = small_dataset();
  for (const char* name : {"raw/node-label.csv.gz", "split/time/train.csv.gz"}) files.erase(name);
  const AttributedGraph result = read(files);
  EXPECT_TRUE(result.labels.empty());
  EXPECT_FALSE(result.split);
}

TEST(Ogb, ReadsNanAsNoLabel) {
  auto files = small_dataset();
  files["raw/node-label.csv.gz"] = "nan\n0\n3\n0\n";
  EXPECT_THAT(read(files).labels.classes.span(), ElementsAre(Labels::kNone, 0, 1, 0));
}

TEST(Ogb, NamesAMissingFile) {
  for (const char* name : {"raw/num-node-list.csv.gz", "raw/num-edge-list.csv.gz", "split/time/test.csv.gz"}) {
    auto files = small_dataset();
    files.erase(name);
    expect_user_error([&] { read(files); }, name, "cannot open");
  }
}

TEST(Ogb, RefusesInvalidCounts) {
  expect_refused("raw/num-node-list.csv.gz", "", "num-node-list.csv.gz: ", "0 numbers");
  expect_refused("raw/num-node-list.csv.gz", "4\n4\n", "num-node-list.csv.gz: ", "single graph");
  expect_refused("raw/num-node-list.csv.gz", "four\n", "num-node-list.csv.gz:1: ", "\"four\"");
  expect_refused("raw/num-node-list.csv.gz", "-4\n", "num-node-list.csv.gz:1: ", "\"-4\"");
  expect_refused("raw/num-node-list.csv.gz", "99999999999\n", "num-node-list.csv.gz: ", "99,999,999,999 nodes");
}

TEST(Ogb, RefusesCountsThatDisagree) {
  expect_refused("raw/num-edge-list.csv.gz", "3\n", "edge.csv.gz: ", "2 edges", "declares 3");
  expect_refused("raw/num-node-list.csv.gz", "5\n", "node-label.csv.gz: ", "4 labels", "5 nodes");
  expect_refused("raw/node-feat.csv.gz", "1,2\n", "node-feat.csv.gz: ", "1 rows", "4 nodes");
}

TEST(Ogb, NamesTheLineOfABadEdge) {
  expect_refused("raw/edge.csv.gz", "0,1\n1 2\n", "edge.csv.gz:2: ", "'source,target'", "\"1 2\"");
  expect_refused("raw/edge.csv.gz", "0,1\n1,x\n", "edge.csv.gz:2: ", "\"x\"");
  expect_refused("raw/edge.csv.gz", "0,1\n1,4\n", "edge.csv.gz:2: ", "node 4 is out of range", "0 .. 3");
  expect_refused("raw/edge.csv.gz", "0,1\n-1,2\n", "edge.csv.gz:2: ", "node -1");
  expect_refused("raw/edge.csv.gz", "0,1\n1,2,3\n", "edge.csv.gz:2: ", "\"2,3\"");
}

TEST(Ogb, NamesTheLineOfABadLabel) {
  expect_refused("raw/node-label.csv.gz", "1\nx\n2\n3\n", "node-label.csv.gz:2: ", "\"x\"");
  expect_refused("raw/node-label.csv.gz", "1\n2,3\n2\n3\n", "node-label.csv.gz:2: ", "\"2,3\"");
}

TEST(Ogb, NamesTheLineOfABadFeature) {
  expect_refused("raw/node-feat.csv.gz", "1,2\n1,nan\n1,2\n1,2\n", "node-feat.csv.gz:2: ", "column 2 of node \"1\"");
  expect_refused("raw/node-feat.csv.gz", "1,2\n1,2\n1\n1,2\n", "node-feat.csv.gz:3: ", "1 cells", "2");
}

TEST(Ogb, RefusesASplitWithRepeatedOrUnknownNodes) {
  expect_refused("split/time/train.csv.gz", "0\n0\n", "train.csv.gz:2: ", "node 0 is in the split already");
  expect_refused("split/time/test.csv.gz", "1\n3\n", "test.csv.gz:2: ", "node 3 is in the split already");
  expect_refused("split/time/valid.csv.gz", "4\n", "valid.csv.gz:1: ", "node 4 is out of range");
  expect_refused("split/time/valid.csv.gz", "two\n", "valid.csv.gz:1: ", "\"two\"");
}

TEST(Ogb, NotesThatThereAreSeveralSplits) {
  auto files = small_dataset();
  for (const char* part : {"train", "valid", "test"}) files[fmt::format("split/again/{}.csv.gz", part)] = "";
  const AttributedGraph result = read(files);
  EXPECT_TRUE(result.split->train.empty());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_THAT(result.notes[0], HasSubstr("split/again: the first of 2 splits"));
}

TEST(Ogb, EndsInUserErrorOrSuccessWhateverBytesAreChanged) {
  const auto files = small_dataset();
  const TempDir dir;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    Rng rng(trial, "change ogb bytes");
    const std::uint64_t victim = rng.below(files.size());
    std::uint64_t at = 0;
    for (const auto& [name, text] : files) {
      std::string bytes = trial % 2 == 0 ? gzip(text) : text;
      if (at++ == victim) {
        if (trial % 4 < 2) bytes.resize(rng.below(bytes.size()));
        if (!bytes.empty()) bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
      }
      dir.file(fmt::format("{}/{}", trial, name), bytes);
    }
    try {
      read_ogb(dir.path() / std::to_string(trial));
    } catch (const UserError&) {
    }
  }
}

TEST(Ogb, ReadsArxiv) {
  GIR_NEEDS_DATA();
  const AttributedGraph arxiv = read_graph(*testing::data_directory() / "ogbn-arxiv");
  EXPECT_EQ(arxiv.graph.num_nodes(), 169343);
  EXPECT_EQ(arxiv.graph.num_arcs(), 1166243);
  EXPECT_EQ(count_undirected_edges(arxiv.graph), 1157799);
  EXPECT_TRUE(arxiv.graph.self_loops().empty());
  EXPECT_EQ(arxiv.labels.num_classes(), 40);
  EXPECT_EQ(arxiv.split->train.size(), 90941u);
  EXPECT_EQ(arxiv.split->valid.size(), 29799u);
  EXPECT_EQ(arxiv.split->test.size(), 48603u);
}

}  // namespace
}  // namespace gir
