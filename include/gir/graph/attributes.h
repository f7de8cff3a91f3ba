#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Row-major matrix, values[row * columns + column].
struct DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Array<float> values;
};

/// Compressed rows; columns ascend inside a row.
struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Array<std::int64_t> offsets;         ///< rows + 1
  Array<std::int32_t> column_indices;  ///< one a stored value
  Array<float> values;
  mutable std::shared_ptr<const DenseMatrix> full = {};  ///< full_rows(), once it was asked for
};

/// All cells of the matrix, made at the first call and kept with it: it must not change any more. Any thread may ask.
const DenseMatrix& full_rows(const SparseMatrix& matrix);

/// One row a node; absent, dense or sparse.
using Features = std::variant<std::monostate, DenseMatrix, SparseMatrix>;

/// Columns of `features`, 0 where there are none.
std::int64_t num_features(const Features& features);

/// A class for every node, or nothing at all.
struct Labels {
  static constexpr std::int32_t kNone = -1;  ///< the class of a node without a label

  Array<std::int32_t> classes;     ///< one a node, 0 .. names.size()-1 or kNone; empty without labels
  std::vector<std::string> names;  ///< what the classes are called in the user's files

  bool empty() const { return classes.empty(); }
  std::int64_t num_classes() const { return static_cast<std::int64_t>(names.size()); }
};

/// Labels from a whole number a node: classes in the order of the numbers that occur. Nodes whose number is
/// `none` have no label.
Labels labels_from_integers(const std::vector<std::int64_t>& values, std::optional<std::int64_t> none = {});

/// Labels from a text a node ("" for none): in numeric order where all are whole numbers, else alphabetic.
Labels labels_from_strings(const std::vector<std::string>& values);

/// Which nodes a classifier may learn from, choose by, and is judged on.
struct NodeSplit {
  std::vector<NodeId> train;
  std::vector<NodeId> valid;
  std::vector<NodeId> test;
};

/// A graph with what is known about its nodes: what readers give and writers take.
struct AttributedGraph {
  Graph graph;
  Features features = {};
  Labels labels = {};
  std::optional<NodeSplit> split = {};  ///< the official one, where the data comes with it
  std::vector<std::string> notes = {};  ///< what a user should know about how the files were read
};

/// Content hash of the graph and of all that is known about its nodes: 32 hexadecimal digits.
std::string fingerprint(const AttributedGraph& data);

/// The induced subgraph on `nodes` (ascending) with the nodes' features and labels; classes that no longer
/// occur are dropped. The official split is dropped.
AttributedGraph induced_subgraph(const AttributedGraph& whole, std::span<const NodeId> nodes);

}  // namespace gir
