#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// Row-major matrix, values[row * columns + column].
struct GIR_API DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Array<float> values;
};

/// Compressed sparse rows (CSR); columns ascend within a row.
struct GIR_API SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  Array<std::int64_t> offsets;         ///< rows + 1
  Array<std::int32_t> column_indices;  ///< one per stored value
  Array<float> values;
  mutable std::shared_ptr<const DenseMatrix> full = {};  ///< result of full_rows() after its first call
};

/// The matrix in dense form, computed on the first call and cached in `matrix`, which must not change afterwards.
/// Thread-safe.
GIR_API const DenseMatrix& full_rows(const SparseMatrix& matrix);

/// One row per node; absent, dense or sparse.
using Features = std::variant<std::monostate, DenseMatrix, SparseMatrix>;

/// Number of columns of `features`, 0 where they are absent.
GIR_API std::int64_t num_features(const Features& features);

/// A class for every node, or empty where the graph has no labels.
struct GIR_API Labels {
  static constexpr std::int32_t kNone = -1;  ///< the class of a node without a label

  Array<std::int32_t> classes;     ///< one per node, 0 .. names.size()-1 or kNone; empty without labels
  std::vector<std::string> names;  ///< names of the classes in the user's files

  bool empty() const { return classes.empty(); }
  std::int64_t num_classes() const { return static_cast<std::int64_t>(names.size()); }
};

/// Labels from one integer per node: the integers that occur, in ascending order, become the classes 0, 1, ... Nodes
/// whose integer is `none` have no label.
GIR_API Labels labels_from_integers(const std::vector<std::int64_t>& values, std::optional<std::int64_t> none = {});

/// Labels from one string per node ("" for no label): classes in numeric order where all strings are integers, else in
/// alphabetic order.
GIR_API Labels labels_from_strings(const std::vector<std::string>& values);

/// Training, validation and test nodes.
struct GIR_API NodeSplit {
  std::vector<NodeId> train;
  std::vector<NodeId> valid;
  std::vector<NodeId> test;
};

/// A graph with the attributes of its nodes: what readers return and writers take.
struct GIR_API AttributedGraph {
  Graph graph;
  Features features = {};
  Labels labels = {};
  std::optional<NodeSplit> split = {};  ///< the official split, where the data has one
  std::vector<std::string> notes = {};  ///< what a user should know about how the files were read

  /// Whether only the nodes that have edges are known, as from an edge list: other files may name more of them.
  bool may_lack_nodes = false;
};

/// Content hash of the graph and all attributes of its nodes: 32 hexadecimal digits.
GIR_API std::string fingerprint(const AttributedGraph& data);

/// The induced subgraph on `nodes` (ascending) with the nodes' features and labels; classes that no longer
/// occur are dropped. The official split is dropped.
GIR_API AttributedGraph induced_subgraph(const AttributedGraph& whole, std::span<const NodeId> nodes);

}  // namespace gir
