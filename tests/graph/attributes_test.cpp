#include "gir/graph/attributes.h"

#include <gmock/gmock.h>

#include "graph/random_graphs.h"

namespace gir {
namespace {

using ::testing::ElementsAre;
using testing::undirected;

TEST(Labels, FromIntegersAreNumberedInOrder) {
  const Labels labels = labels_from_integers({30, -2, 30, 7});
  EXPECT_THAT(labels.classes, ElementsAre(2, 0, 2, 1));
  EXPECT_THAT(labels.names, ElementsAre("-2", "7", "30"));
  EXPECT_EQ(labels.num_classes(), 3);
}

TEST(Labels, FromIntegersOmitTheIntegerForNone) {
  const Labels labels = labels_from_integers({1, -1, 0}, -1);
  EXPECT_THAT(labels.classes, ElementsAre(1, Labels::kNone, 0));
  EXPECT_THAT(labels.names, ElementsAre("0", "1"));
}

TEST(Labels, FromStringsAreNumberedAlphabetically) {
  const Labels labels = labels_from_strings({"red", "", "blue", "red"});
  EXPECT_THAT(labels.classes, ElementsAre(1, Labels::kNone, 0, 1));
  EXPECT_THAT(labels.names, ElementsAre("blue", "red"));
}

TEST(Labels, FromStringsThatAreNumbersAreNumberedByValue) {
  const Labels labels = labels_from_strings({"10", "9", "", "-1"});
  EXPECT_THAT(labels.classes, ElementsAre(2, 1, Labels::kNone, 0));
  EXPECT_THAT(labels.names, ElementsAre("-1", "9", "10"));
}

TEST(Labels, KeepStringsThatAreNotPlainIntegers) {
  EXPECT_THAT(labels_from_strings({"10", "09", "9"}).names, ElementsAre("09", "10", "9"));
}

TEST(Labels, OfNoNodesAreEmpty) {
  EXPECT_TRUE(Labels().empty());
  EXPECT_TRUE(labels_from_strings({}).empty());
}

TEST(Features, HaveANumberOfColumns) {
  EXPECT_EQ(num_features(Features()), 0);
  EXPECT_EQ(num_features(DenseMatrix{.rows = 2, .columns = 3, .values = Array<float>(6, 0)}), 3);
  SparseMatrix sparse;
  sparse.columns = 5;
  EXPECT_EQ(num_features(Features(std::move(sparse))), 5);
}

AttributedGraph triangle_with_tail() {
  AttributedGraph whole;
  whole.graph = undirected(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  whole.labels = labels_from_strings({"a", "b", "", "c"});
  whole.split = NodeSplit{.train = {0}, .valid = {1}, .test = {2, 3}};
  whole.notes = {"a note"};
  return whole;
}

TEST(InducedAttributedSubgraph, RenumbersClassesAndDropsTheSplit) {
  const std::vector<NodeId> nodes = {1, 2, 3};
  const AttributedGraph part = induced_subgraph(triangle_with_tail(), nodes);
  EXPECT_EQ(part.graph.num_arcs(), 4);
  EXPECT_THAT(part.labels.classes, ElementsAre(0, Labels::kNone, 1));
  EXPECT_THAT(part.labels.names, ElementsAre("b", "c"));
  EXPECT_FALSE(part.split.has_value());
  EXPECT_THAT(part.notes, ElementsAre("a note"));
}

TEST(InducedAttributedSubgraph, HasNoLabelsWhereTheGraphHasNone) {
  AttributedGraph whole = triangle_with_tail();
  whole.labels = {};
  const std::vector<NodeId> nodes = {1, 2};
  EXPECT_TRUE(induced_subgraph(whole, nodes).labels.empty());
}

TEST(InducedAttributedSubgraph, SelectsRowsOfDenseFeatures) {
  AttributedGraph whole = triangle_with_tail();
  whole.features = DenseMatrix{.rows = 4, .columns = 2, .values = {0, 1, 10, 11, 20, 21, 30, 31}};
  const std::vector<NodeId> nodes = {1, 3};
  const AttributedGraph part = induced_subgraph(whole, nodes);
  const auto& dense = std::get<DenseMatrix>(part.features);
  EXPECT_EQ(dense.rows, 2);
  EXPECT_EQ(dense.columns, 2);
  EXPECT_THAT(dense.values, ElementsAre(10, 11, 30, 31));
}

TEST(InducedAttributedSubgraph, SelectsRowsOfSparseFeatures) {
  AttributedGraph whole = triangle_with_tail();
  whole.features = SparseMatrix{.rows = 4,
                                .columns = 9,
                                .offsets = {0, 2, 3, 3, 5},
                                .column_indices = {1, 8, 4, 0, 2},
                                .values = {1, 2, 3, 4, 5}};
  const std::vector<NodeId> nodes = {0, 2, 3};
  const AttributedGraph part = induced_subgraph(whole, nodes);
  const auto& sparse = std::get<SparseMatrix>(part.features);
  EXPECT_EQ(sparse.rows, 3);
  EXPECT_EQ(sparse.columns, 9);
  EXPECT_THAT(sparse.offsets, ElementsAre(0, 2, 2, 4));
  EXPECT_THAT(sparse.column_indices, ElementsAre(1, 8, 0, 2));
  EXPECT_THAT(sparse.values, ElementsAre(1, 2, 4, 5));
}

}  // namespace
}  // namespace gir
