#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph_arrays.h"

namespace gir {

/// The number of nodes of a graph, on which all arrays that imply one must agree.
class NodeCount {
 public:
  explicit NodeCount(const ReadOptions& options);

  /// The array `source` implies this number of nodes. UserError where an earlier one implied another number, and for
  /// more nodes than a graph or the memory of this machine can hold.
  void claim(std::int64_t nodes, const std::string& source);

  bool known() const { return nodes_.has_value(); }
  std::int64_t nodes() const { return *nodes_; }

 private:
  std::optional<std::int64_t> nodes_;
  std::string source_;  ///< of the first claim
};

/// The node attributes of a source.
struct NodeArrays {
  Features features;
  Labels labels;
  std::optional<NodeSplit> split;  ///< checked against the number of nodes by attribute()
  std::string split_where;
  std::optional<NodeNames> names;
  std::vector<std::string> notes;
};

/// Reads the arrays that the source has; those with one row per node claim the number of nodes.
NodeArrays read_node_arrays(const ArraySource& source, NodeCount& count);

/// Builds the graph, with node names from `about`, and adds the attributes.
AttributedGraph attribute(EdgeInput input, NodeArrays about, const NodeCount& count);

}  // namespace gir
