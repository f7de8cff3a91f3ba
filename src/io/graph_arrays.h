#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/graph/attributes.h"
#include "gir/io/format.h"
#include "gir/io/npy.h"
#include "gir/io/npz.h"

namespace gir {

/// Named arrays that a graph is read from: the members of a .npz file or the .npy files of a folder.
struct ArraySource {
  std::string where;  ///< the file or folder, for messages
  std::vector<std::string> names;
  std::function<NpyArray(const std::string& name)> read;

  bool has(std::string_view name) const;
};

/// Reads the layout that gir writes. All arrays but `edges` are optional:
///
///     edges        [m, 2]  the two ends of every edge, 0 .. n-1
///     weights      [m]
///     directed     one number, 0 (the default) or 1
///     num_nodes    one number; by default that of the arrays with one row per node, or the largest end + 1
///     node_ids     [n]     integers or strings
///     features     [n, d]  or a CSR matrix: attr_indptr, attr_indices, attr_data, attr_shape
///     labels       [n]     integers, -1 for no label, or strings, "" for no label
///     class_names  [c]     strings; labels are then 0 .. c-1
///     train, val, test     the nodes of the official split; or train_mask, val_mask, test_mask, [n] booleans
AttributedGraph read_edge_arrays(const ArraySource& source, const ReadOptions& options);

/// A graph from an `edges` array alone.
AttributedGraph read_edge_array(const NpyArray& edges, const ReadOptions& options);

/// The entries of an adjacency matrix.
struct AdjacencyInput {
  std::int64_t nodes = 0;
  Array<Arc> arcs;
  Array<float> weights;  ///< one per arc; where all are 1, the graph is not weighted
};

/// A graph from an adjacency matrix: undirected where the matrix is symmetric and the options do not say otherwise.
/// Features, labels, names and split come from `source` as in read_edge_arrays().
AttributedGraph read_adjacency(AdjacencyInput input, const ArraySource& source, const ReadOptions& options);

/// The arrays from which read_edge_arrays() reads the same graph.
class GraphArrays {
 public:
  /// `where` is the place that messages name. The arrays refer to `graph`, which must outlive them.
  GraphArrays(const AttributedGraph& graph, const std::string& where);
  GraphArrays(const GraphArrays&) = delete;
  GraphArrays& operator=(const GraphArrays&) = delete;

  const std::vector<NpzMember>& members() const { return members_; }

 private:
  void add_graph(const Graph& graph);
  void add_names(const NodeNames& names, const std::string& where);
  void add_features(const Features& features);
  void add_labels(const Labels& labels, const std::string& where);
  void add_split(const NodeSplit& split);
  void add_number(const char* name, std::int64_t value);
  void add_strings(const char* name, const std::vector<std::string>& values, const std::string& where);

  // What members_ point to, where it is not part of the graph.
  EdgeInput edges_;
  std::vector<Array<std::int64_t>> numbers_;
  std::vector<NpyArray> strings_;
  std::vector<NpzMember> members_;
};

}  // namespace gir
