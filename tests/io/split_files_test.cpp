#include "gir/io/split_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gir/io/npz.h"
#include "mat_builder.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::MatBuilder;
using ::testing::Pair;
using testing::TempDir;

NodeNames numbered(std::vector<std::int64_t> ids) {
  return NodeNames::integers(Array<std::int64_t>(std::span<const std::int64_t>(ids)));
}

TEST(SplitFiles, AreTextFilesWithOneOrTwoIdsPerLine) {
  const TempDir dir;
  dir.file("train.txt", "# by a tool\nsource target\na b\nb\tc\n");
  dir.file("val.csv", "c,d\n");
  dir.file("test.txt", "\na d\n");
  dir.file("README.md", "not a part");
  const PairLists lists = read_pair_lists(dir.path(), NodeNames::strings({"a", "b", "c", "d"}));
  EXPECT_THAT(lists.train.items, ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_TRUE(lists.train.place(1).ends_with("train.txt:4")) << lists.train.place(1);
  EXPECT_THAT(lists.valid.items, ElementsAre(Pair(2, 3)));
  EXPECT_THAT(lists.test.items, ElementsAre(Pair(0, 3)));
  EXPECT_FALSE(lists.valid_negatives.given());
  dir.file("train.txt", "b\na\n");
  dir.file("test.txt", "c\n");
  dir.file("val.csv", "d\n");
  const NodeLists nodes = read_node_lists(dir.path(), NodeNames::strings({"a", "b", "c", "d"}), 0);
  EXPECT_THAT(nodes.train.items, ElementsAre(1, 0));
  EXPECT_THAT(nodes.valid.items, ElementsAre(3));
}

TEST(SplitFiles, AreNotIgnoredForTheirNames) {
  const TempDir dir;
  const NodeNames names = NodeNames::positions(5);
  expect_user_error([&] { read_pair_lists(dir.path(), names); }, "has no train.txt");
  dir.file("train.txt", "0 1\n");
  dir.file("train_pos.txt", "0 1\n");
  expect_user_error([&] { read_pair_lists(dir.path(), names); }, "train_pos.txt: is not a known part of a split");
  std::filesystem::remove(dir / "train_pos.txt");
  dir.file("valid.txt", "1 2\n");
  dir.file("val.txt", "1 2\n");
  expect_user_error([&] { read_pair_lists(dir.path(), names); }, "is the same part as valid.txt");
  expect_user_error([&] { read_pair_lists(dir / "nowhere", names); }, "no such file or folder");
  expect_user_error([&] { read_pair_lists(dir / "train.txt", names); }, "is not a split");
}

TEST(SplitFiles, NameUnknownIdsWithTheirLine) {
  const TempDir dir;
  dir.file("train.txt", "0 1\n1 9\n");
  expect_user_error([&] { read_pair_lists(dir.path(), NodeNames::positions(5)); }, "train.txt:2: ", "no node \"9\"");
}

TEST(SplitFiles, GiveTheNodesOfASplitWithoutAGraph) {
  const TempDir dir;
  dir.file("train.txt", "from to\n7 3\n");
  dir.file("test_neg.txt", "3 12\n");
  EXPECT_EQ(names_of_split(dir.path(), {}).size(), 3);
  EXPECT_EQ(names_of_split(dir.path(), {}).name(2), "12") << "numbers in ascending order, the header is no node";
  EXPECT_EQ(names_of_split(dir.path(), {.num_nodes = 20}).size(), 20);
  dir.file("train.txt", "eve adam\n");
  EXPECT_EQ(names_of_split(dir.path(), {}).name(2), "adam");
}

TEST(SplitFiles, OfNumbersNameTheLineOfAnIdThatIsNone) {
  const TempDir dir;
  const auto names = [&](const ReadOptions& options = {}) { return names_of_split(dir.path(), options); };
  dir.file("train.txt", "# ids\n5 6\n5 7\n");
  dir.file("test.txt", "5 8\n5 7x\n");
  expect_user_error([&] { names(); }, "test.txt:2:", "\"7x\" is not a whole number", "`text-ids`");
  EXPECT_EQ(names({.text_ids = true}).size(), 5);
  dir.file("test.txt", "5 N/A\n");
  expect_user_error([&] { names(); }, "test.txt:1:", "\"N/A\" stands for a missing value");
  dir.file("test.txt", "6 7\n");
  dir.file("train.txt", "5 NaN\n6 7\n");
  expect_user_error([&] { names(); }, "train.txt:1:", "\"NaN\" stands for a missing value");
  dir.file("train.txt", "a NA\n6 b\n");
  std::vector<std::string> notes;
  EXPECT_EQ(names_of_split(dir.path(), {}, &notes).size(), 5);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("\"NA\" is read as a node like any other"), std::string::npos);
}

TEST(SplitFiles, HaveHeadersThatAreNoNodesWithoutAGraph) {
  const TempDir dir;
  dir.file("train.csv", "source,target\nn1,n2\nn2,n3\n");
  dir.file("test.csv", "source,target\nn1,n3\n");
  const NodeNames names = names_of_split(dir.path(), {});
  EXPECT_EQ(names.size(), 3);
  EXPECT_EQ(read_pair_lists(dir.path(), names).train.items.size(), 2U);
  EXPECT_EQ(read_pair_lists(dir.path(), names).test.items.size(), 1U);
  dir.file("train.csv", "a,b\nn1,n2\n");
  dir.file("test.csv", "b,n1\n");
  EXPECT_EQ(names_of_split(dir.path(), {}).size(), 4) << "b occurs in another file, so that a,b is an edge";
}

/// Booleans as a NumPy array.
NpyView mask(const std::string& bytes, std::vector<std::int64_t> shape) {
  return {.type = {.kind = NpyType::Kind::kBool, .item_size = 1}, .shape = std::move(shape), .bytes = bytes};
}

TEST(SplitFiles, AreMasksOfPyTorchGeometric) {
  const TempDir dir;
  const std::string two_columns("\1\0\0\1\1\1\0\0", 8);
  const std::string test("\0\1\0\1", 4);
  write_npz(dir / "masks.npz", {{"train_mask", mask(two_columns, {4, 2})}, {"test_mask", mask(test, {4})}});
  const NodeNames names = NodeNames::positions(4);
  EXPECT_THAT(read_node_lists(dir / "masks.npz", names, 0).train.items, ElementsAre(0, 2));
  EXPECT_THAT(read_node_lists(dir / "masks.npz", names, 1).train.items, ElementsAre(1, 2));
  EXPECT_THAT(read_node_lists(dir / "masks.npz", names, 1).test.items, ElementsAre(1, 3));
  EXPECT_FALSE(read_node_lists(dir / "masks.npz", names, 1).valid.given());
  expect_user_error([&] { read_node_lists(dir / "masks.npz", names, 2); }, "2 columns", "no split 2", "`split` 0 to 1");
  expect_user_error([&] { read_node_lists(dir / "masks.npz", NodeNames::positions(5), 0); }, "[4, 2]", "5 nodes");
}

TEST(SplitFiles, AreArraysOfPairsInRowsOrColumns) {
  const TempDir dir;
  const std::vector<std::int64_t> rows = {0, 1, 1, 2, 2, 3};
  const std::vector<std::int64_t> columns = {0, 1, 2, 3, 3, 0};
  write_npz(dir / "links.npz", {{"train_edges", npy_view(rows, {3, 2})}, {"test_edges", npy_view(columns, {2, 3})}});
  const PairLists lists = read_pair_lists(dir / "links.npz", NodeNames::positions(4));
  EXPECT_THAT(lists.train.items, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(lists.test.items, ElementsAre(Pair(0, 3), Pair(1, 3), Pair(2, 0)));
  EXPECT_EQ(names_of_split(dir / "links.npz", {}).size(), 4);
  expect_user_error([&] { read_pair_lists(dir / "links.npz", NodeNames::positions(3)); }, "no node 3", "from 0");
}

TEST(SplitFiles, OfMatlabCountFromOne) {
  const TempDir dir;
  const MatBuilder builder;
  const auto path = dir.file("split.mat", builder.bytes() + builder.full(2, 2, "train_pos", {1, 2, 2, 3}) +
                                              builder.full(1, 2, "test_pos", {3, 5}));
  const PairLists by_position = read_pair_lists(path, NodeNames::positions(5));
  EXPECT_THAT(by_position.train.items, ElementsAre(Pair(0, 1), Pair(1, 2)));
  EXPECT_THAT(by_position.test.items, ElementsAre(Pair(2, 4)));
  EXPECT_TRUE(by_position.test.place(0).ends_with("split.mat: test_pos: row 1"));
  const PairLists by_id = read_pair_lists(path, numbered({1, 2, 3, 5}));
  EXPECT_THAT(by_id.test.items, ElementsAre(Pair(2, 3)));
  expect_user_error([&] { read_pair_lists(path, NodeNames::positions(4)); }, "test_pos: row 1: ", "no node 5");
  EXPECT_EQ(names_of_split(path, {}).name(0), "1");
  EXPECT_EQ(names_of_split(path, {}).size(), 5) << "all numbers up to the largest one";
  const auto zero = dir.file("zero.mat", builder.bytes() + builder.full(1, 2, "train_pos", {0, 1}));
  expect_user_error([&] { read_pair_lists(zero, NodeNames::positions(4)); }, "row 1: 0 is not the number of a node");
  const auto wide = dir.file("wide.mat", builder.bytes() + builder.full(1, 3, "train_pos", {1, 2, 3}));
  expect_user_error([&] { read_pair_lists(wide, NodeNames::positions(4)); }, "train_pos", "two columns");
}

TEST(SplitFiles, SeparateIdsWithBlanksByTabs) {
  const TempDir dir;
  write_split_files(dir.path(), {{.name = "train.txt", .pairs = {{0, 1}}, .nodes = {}}},
                    NodeNames::strings({"a b", "other"}));
  EXPECT_EQ(testing::read_text(dir / "train.txt"), "a b\tother\n");
}

TEST(SplitFiles, SayThatAHeaderWasSkipped) {
  const TempDir dir;
  dir.file("train.csv", "source,target\n0,1\n1,2\n");
  dir.file("valid_neg.csv", "from,to\n0,3\n");
  const PairLists lists = read_pair_lists(dir.path(), NodeNames::positions(4));
  ASSERT_EQ(lists.notes.size(), 2U);
  EXPECT_TRUE(lists.notes[0].ends_with("train.csv:1: \"source\", \"target\" skipped as a header line"))
      << lists.notes[0];
  EXPECT_TRUE(lists.notes[1].ends_with("valid_neg.csv:1: \"from\", \"to\" skipped as a header line"));
  dir.file("valid_neg.csv", "0,3\n");
  dir.file("train.csv", "0,1\n1,2\n");
  EXPECT_TRUE(read_pair_lists(dir.path(), NodeNames::positions(4)).notes.empty());
}

TEST(SplitFiles, HaveNoNodesInHeadersOfAnyWordsWithoutAGraph) {
  const TempDir dir;
  const auto names = [&](const ReadOptions& options = {}) { return names_of_split(dir.path(), options); };
  const PairHeader own = {.own_nodes = true};
  dir.file("train.csv", "gibt,nimmt\nann,bob\nbob,cid\ncid,ann\n");
  EXPECT_EQ(names().size(), 3) << "these words occur on no other line, all other ids do";
  EXPECT_EQ(read_pair_lists(dir.path(), names(), own).train.items.size(), 3U);
  EXPECT_EQ(read_pair_lists(dir.path(), names(), own).notes.size(), 1U);
  EXPECT_EQ(names({.header = HeaderLine::kNo}).size(), 5);
  dir.file("train.csv", "gibt,nimmt\nann,bob\n");
  dir.file("test.csv", "gibt,nimmt\ncid,dan\n");
  EXPECT_EQ(names().size(), 4) << "two files begin with the same words";
  dir.file("test.csv", "cid,dan\n");
  EXPECT_EQ(names().size(), 6);
  EXPECT_EQ(names({.header = HeaderLine::kYes}).size(), 2);
}

}  // namespace
}  // namespace gir
