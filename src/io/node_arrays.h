#pragma once

#include <optional>
#include <string>

#include "graph_arrays.h"

namespace gir {

/// How many nodes a graph has, agreed on by all arrays that tell.
class NodeCount {
 public:
  explicit NodeCount(const ReadOptions& options);

  /// `who` says that there are `nodes`. UserError when another one said otherwise, or for more than a graph or
  /// this machine's memory can hold.
  void claim(std::int64_t nodes, const std::string& who);

  bool known() const { return nodes_.has_value(); }
  std::int64_t nodes() const { return *nodes_; }

 private:
  std::optional<std::int64_t> nodes_;
  std::string who_;
};

/// What a source tells about the nodes.
struct NodeArrays {
  Features features;
  Labels labels;
  std::optional<NodeSplit> split;  ///< checked against the number of nodes by attribute()
  std::string split_where;
  std::optional<NodeNames> names;
};

/// Reads the arrays that are there; those with a row a node claim their number.
NodeArrays read_node_arrays(const ArraySource& source, NodeCount& count);

/// Builds the graph (nodes take their names from `about`) and puts all together.
AttributedGraph attribute(EdgeInput input, NodeArrays about, const NodeCount& count);

}  // namespace gir
