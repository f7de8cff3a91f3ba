#include "gir/io/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gir/io/gzip.h"
#include "gir/io/npy.h"
#include "gir/io/npz.h"
#include "support.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::expect_user_error;
using testing::TempDir;

/// Nodes 5, 7 and 9.
NodeNames numbers() { return NodeNames::integers({5, 7, 9}); }
NodeNames letters() { return NodeNames::strings({"ann", "bob", "cy"}); }

DenseMatrix features(const std::string& text, const NodeNames& names = numbers(), const std::string& name = "f.csv") {
  const TempDir dir;
  return std::get<DenseMatrix>(read_features(dir.file(name, text), names));
}

TEST(Features, AreReadInNodeOrderFromText) {
  for (const char* text :
       {"1,2\n3,4\n5,6\n", "1 2\n 3  4 \n5 6", "1\t2\r\n3\t4\r\n5\t6\r\n", "# c\n1,2\n\n3,4\n# d\n5, 6\n"}) {
    const DenseMatrix matrix = features(text);
    EXPECT_EQ(matrix.rows, 3);
    EXPECT_EQ(matrix.columns, 2);
    EXPECT_THAT(matrix.values.span(), ElementsAre(1, 2, 3, 4, 5, 6)) << text;
  }
}

TEST(Features, AreReadFromCompressedText) {
  EXPECT_THAT(features(gzip("1\n2\n3\n"), numbers(), "f.csv.gz").values.span(), ElementsAre(1, 2, 3));
}

TEST(Features, AreAssignedByTheIdsUnderAHeader) {
  for (const char* id : {"node", "id", "node_id", "Node"}) {
    const DenseMatrix matrix = features(fmt::format("{},x,y\n9,5,6\n5,1,2\n7,3,4\n", id));
    EXPECT_EQ(matrix.columns, 2);
    EXPECT_THAT(matrix.values.span(), ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_THAT(features("id x\ncy 3\nann 1\nbob 2\n", letters()).values.span(), ElementsAre(1, 2, 3));
}

TEST(Features, MayHaveAHeaderWithoutIds) {
  EXPECT_THAT(features("x,y\n1,2\n3,4\n5,6\n").values.span(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Features, NeedARowForEveryNode) {
  expect_user_error([] { features("1\n2\n3\n4\n"); }, "f.csv: ", "4 rows", "3 nodes", "nodes without edges",
                    "`num-nodes`");
  expect_user_error([] { features("1\n2\n"); }, "f.csv: ", "2 rows", "3 nodes", "node order");
  expect_user_error([] { features("node x\nann 1\n", letters()); }, "f.csv: ", "1 rows", "3 nodes");
  expect_user_error([] { features("# nothing\n\n"); }, "f.csv: ", "no rows");
}

TEST(Features, RefuseUnknownAndRepeatedIds) {
  expect_user_error([] { features("node,x\n5,1\n6,2\n9,3\n"); }, "f.csv:3: ", "no node \"6\"");
  expect_user_error([] { features("node,x\n5,1\n9,2\n\n5,3\n"); }, "f.csv:5: ", "node \"5\" occurs a second time");
}

TEST(Features, RefuseValuesThatAreNotFiniteNumbers) {
  for (const char* value : {"nan", "inf", "-inf", "1e40", "x", ""}) {
    expect_user_error([&] { features(fmt::format("1,2\n3,{}\n5,6\n", value)); }, "f.csv:2: ", "column 2 of node \"7\"",
                      fmt::format("\"{}\"", value), "not a finite number");
  }
  expect_user_error([] { features("node,x\n9,1\n5,nan\n7,1\n"); }, "f.csv:3: ", "column 2 (\"x\") of node \"5\"");
}

TEST(Features, RefuseRowsOfOtherLengths) {
  expect_user_error([] { features("1,2\n3\n5,6\n"); }, "f.csv:2: ", "1 cells", "has 2");
  expect_user_error([] { features("1,2\n3,4,5\n5,6\n"); }, "f.csv:2: ", "3 cells", "has 2");
  expect_user_error([] { features("1,2,3,4,5,6,7,8,9\n1\n2\n"); }, "f.csv:2: ", "1 cells", "has 9");
}

TEST(Features, RefuseAFileOfIdsOnly) {
  expect_user_error([] { features("node\n5\n7\n9\n"); }, "f.csv: ", "no features");
}

TEST(Features, AreReadFromNpy) {
  const TempDir dir;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  write_npy(dir / "f.npy", npy_view(std::span<const float>(values), {3, 2}));
  EXPECT_THAT(std::get<DenseMatrix>(read_features(dir / "f.npy", numbers())).values.span(),
              ElementsAre(1, 2, 3, 4, 5, 6));
  write_npy(dir / "g.npy", npy_view(std::span<const float>(values), {2, 3}));
  expect_user_error([&] { read_features(dir / "g.npy", numbers()); }, "g.npy: ", "2 rows", "3 nodes");
}

TEST(Features, OfNpyMustBeFinite) {
  const TempDir dir;
  const std::vector<float> values = {1, std::numeric_limits<float>::quiet_NaN(), 3};
  write_npy(dir / "f.npy", npy_view(std::span<const float>(values), {3, 1}));
  expect_user_error([&] { read_features(dir / "f.npy", numbers()); }, "f.npy");
}

TEST(Features, AreReadFromNpzDenseOrSparse) {
  const TempDir dir;
  const std::vector<float> values = {1, 2, 3};
  write_npz(dir / "dense.npz", {{"features", npy_view(std::span<const float>(values), {3, 1})}});
  EXPECT_THAT(std::get<DenseMatrix>(read_features(dir / "dense.npz", numbers())).values.span(), ElementsAre(1, 2, 3));

  const std::vector<std::int64_t> offsets = {0, 2, 2, 3};
  const std::vector<std::int32_t> columns = {0, 3, 1};
  const std::vector<std::int64_t> shape = {3, 4};
  write_npz(dir / "sparse.npz", {{"attr_indptr", npy_view(std::span<const std::int64_t>(offsets), {4})},
                                 {"attr_indices", npy_view(std::span<const std::int32_t>(columns), {3})},
                                 {"attr_data", npy_view(std::span<const float>(values), {3})},
                                 {"attr_shape", npy_view(std::span<const std::int64_t>(shape), {2})}});
  const Features sparse = read_features(dir / "sparse.npz", numbers());
  EXPECT_EQ(num_features(sparse), 4);
  EXPECT_THAT(std::get<SparseMatrix>(sparse).column_indices.span(), ElementsAre(0, 3, 1));
  expect_user_error([&] { read_features(dir / "sparse.npz", NodeNames::positions(2)); }, "sparse.npz: ", "3 rows",
                    "2 nodes", "`num-nodes`");
  expect_user_error([&] { read_labels(dir / "sparse.npz", numbers()); }, "sparse.npz: ", "no array labels",
                    "attr_indptr");
}

TEST(Features, AreMatchedByIdsOfAnyName) {
  EXPECT_THAT(features("user_id;x;y\n9;5;6\n5;1;2\n7;3;4\n").values.span(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(features("who,x\ncy,3\nann,1\n\"bob\",2\n", letters()).values.span(), ElementsAre(1, 2, 3));
  EXPECT_THAT(features("cy,3\nann,1\nbob,2\n", letters()).values.span(), ElementsAre(1, 2, 3));
  EXPECT_THAT(features(",x\n9,3\n5,1\n7,2\n").values.span(), ElementsAre(1, 2, 3));
  EXPECT_THAT(features("9 3\n5 1\n7 2\n").values.span(), ElementsAre(1, 2, 3)) << "the first column lists the nodes";
  EXPECT_THAT(features("\"x\"\n\"9\" 3\n\"5\" 1\n\"7\" 2\n").values.span(), ElementsAre(1, 2, 3)) << "as R writes it";
}

TEST(Features, HaveHeadersThatAreNumbersWhereThereIsARowMoreThanNodes) {
  EXPECT_THAT(features("0,1\n1,2\n3,4\n5,6\n").values.span(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(features("0\n1\n2\n3\n").values.span(), ElementsAre(1, 2, 3));
  EXPECT_THAT(features("0,1\n9,3\n5,1\n7,2\n").values.span(), ElementsAre(1, 2, 3)) << "matched by id";
  expect_user_error([] { features("0,2\n1,2\n3,4\n5,6\n"); }, "4 rows", "3 nodes");
}

TEST(Features, AreMatchedByAColumnThatListsAllNodesWhateverItsName) {
  EXPECT_THAT(features("who,x\n9,3\n5,1\n7,2\n").values.span(), ElementsAre(1, 2, 3));
  EXPECT_THAT(features("age,x\n9,3\n5,1\n8,2\n").values.span(), ElementsAre(9, 3, 5, 1, 8, 2));
}

TEST(Features, AreMatchedByIdsThatPandasWroteAsFloats) {
  EXPECT_THAT(features("id,x\n9.0,3\n5.0,1\n7.0,2\n").values.span(), ElementsAre(1, 2, 3));
}

TEST(Features, RefuseRowNumbersThatAreNoNodes) {
  expect_user_error([] { features(",x\n0,3\n1,1\n2,2\n"); }, "f.csv:1: ", "the first column has no name");
}

TEST(Features, NameTheNodeThatHasNoRow) {
  expect_user_error([] { features("node,x\n9,1\n5,2\n"); }, "f.csv: ", "2 rows", "3 nodes", "node \"7\"");
}

TEST(Features, NameTheColumnOfAMissingValue) {
  expect_user_error([] { features("node,age,pay\n5,1,2\n7,,4\n9,5,6\n"); }, "f.csv:3: ", "column 2 (\"age\")",
                    "node \"7\"", "[fill in the missing value, or remove the column]");
}

TEST(Features, SayInWhichOrderRowsAreTaken) {
  const TempDir dir;
  std::vector<std::string> notes;
  read_features(dir.file("f.csv", "1\n2\n3\n"), numbers(), &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("has no node ids: its rows are taken for the nodes 5, 7, 9 in this order"),
            std::string::npos);
  notes.clear();
  read_features(dir.file("f.csv", "node,x\n5,1\n7,2\n9,3\n"), numbers(), &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("matched to nodes by the ids"), std::string::npos);
}

}  // namespace
}  // namespace gir
