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

/// Named arrays that make up a graph: the members of a .npz, the .npy files of a folder.
struct ArraySource {
  std::string where;  ///< the file or folder, for messages
  std::vector<std::string> names;
  std::function<NpyArray(const std::string& name)> read;

  bool has(std::string_view name) const;
};

/// Reads the layout that gir itself writes. Everything but `edges` may be missing:
///
///     edges        [m, 2]  the two ends of every edge, 0 .. n-1
///     weights      [m]
///     directed     one number, 0 (also where there is none) or 1
///     num_nodes    one number; otherwise the arrays with a row a node tell, or the largest end
///     node_ids     [n]     what the nodes are called: whole numbers or texts
///     features     [n, d]  or compressed rows: attr_indptr, attr_indices, attr_data, attr_shape
///     labels       [n]     whole numbers, -1 for none, or texts, "" for none
///     class_names  [c]     texts; labels are then 0 .. c-1
///     train, val, test     the nodes of the official split
AttributedGraph read_edge_arrays(const ArraySource& source, const ReadOptions& options);

/// A graph of nothing but an edges array.
AttributedGraph read_edge_array(const NpyArray& edges, const ReadOptions& options);

/// An adjacency matrix as it came from a file.
struct AdjacencyInput {
  std::int64_t nodes = 0;
  Array<Arc> arcs;
  Array<float> weights;  ///< one an arc; all 1: the graph has none
};

/// A graph from an adjacency matrix: undirected where the matrix equals its transpose and the options do not
/// say otherwise. Features, labels, names and split come from `source` as in read_edge_arrays().
AttributedGraph read_adjacency(AdjacencyInput input, const ArraySource& source, const ReadOptions& options);

/// The arrays that read_edge_arrays() makes the same graph of.
class GraphArrays {
 public:
  /// `where` is the place for messages. `graph` is looked into and must live on.
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
  void add_texts(const char* name, const std::vector<std::string>& values, const std::string& where);

  EdgeInput edges_;
  std::vector<Array<std::int64_t>> numbers_;
  std::vector<NpyArray> texts_;
  std::vector<NpzMember> members_;
};

}  // namespace gir
