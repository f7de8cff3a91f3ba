#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// One direction of a graph's edges in CSR form: the neighbours of node v are neighbors[offsets[v] .. offsets[v+1]),
/// ascending and distinct.
struct GIR_API Adjacency {
  Array<EdgeId> offsets;    ///< num_nodes + 1 values
  Array<NodeId> neighbors;  ///< one per arc
  Array<float> weights;     ///< one per arc, empty where the graph has none

  Adjacency clone() const { return {offsets.clone(), neighbors.clone(), weights.clone()}; }

  std::span<const NodeId> row(NodeId node) const {
    return neighbors.span().subspan(static_cast<std::size_t>(offsets[node]),
                                    static_cast<std::size_t>(offsets[node + 1] - offsets[node]));
  }
  std::span<const float> row_weights(NodeId node) const {
    return weights.span().subspan(static_cast<std::size_t>(offsets[node]),
                                  static_cast<std::size_t>(offsets[node + 1] - offsets[node]));
  }
};

/// An immutable graph. An undirected edge is stored as two arcs, and repeated edges as one. Self loops are stored
/// separately from the arcs, because they carry no messages. Made by build_graph().
class GIR_API Graph {
 public:
  std::int64_t num_nodes() const { return names_.size(); }

  /// Number of directed edges without self loops; an undirected edge counts twice.
  EdgeId num_arcs() const { return out_.neighbors.size(); }

  bool directed() const { return directed_; }
  bool weighted() const { return weighted_; }

  /// Arcs by source and by target. For an undirected graph both are the same object.
  const Adjacency& out() const { return out_; }
  const Adjacency& in() const { return directed_ ? in_ : out_; }

  std::span<const NodeId> out_neighbors(NodeId node) const { return out().row(node); }
  std::span<const NodeId> in_neighbors(NodeId node) const { return in().row(node); }
  EdgeId out_degree(NodeId node) const { return out_.offsets[node + 1] - out_.offsets[node]; }
  EdgeId in_degree(NodeId node) const { return in().offsets[node + 1] - in().offsets[node]; }

  /// Whether source -> target is an arc. O(log out-degree).
  bool has_arc(NodeId source, NodeId target) const;

  /// Nodes with a self loop, ascending, and the weights of these loops where the graph is weighted.
  std::span<const NodeId> self_loops() const { return self_loops_.span(); }
  std::span<const float> self_loop_weights() const { return self_loop_weights_.span(); }

  /// The nodes' ids in the user's files.
  const NodeNames& names() const { return names_; }

  /// Content hash of nodes, names, edges and weights: 32 hexadecimal digits. Equal for equal graphs, whatever file
  /// format or order of lines they were read from. O(edges), in parallel.
  std::string fingerprint() const;

  Graph clone() const;

 private:
  friend Graph build_graph(struct EdgeInput input);

  bool directed_ = false;
  bool weighted_ = false;
  Adjacency out_;
  Adjacency in_;  ///< empty for an undirected graph
  Array<NodeId> self_loops_;
  Array<float> self_loop_weights_;
  NodeNames names_;
};

/// The degree of a node: in-degree plus out-degree where the graph is directed. Self loops do not count.
inline EdgeId total_degree(const Graph& graph, NodeId node) {
  return graph.out_degree(node) + (graph.directed() ? graph.in_degree(node) : 0);
}

/// The input of build_graph().
struct GIR_API EdgeInput {
  Array<Arc> arcs;            ///< in any order; repetitions and self loops are allowed
  Array<float> weights = {};  ///< one per arc, or empty
  bool directed = false;      ///< otherwise every arc stands for both directions
  NodeNames names = {};       ///< one per node; their number is the number of nodes
};

/// Builds a graph. The weights of a repeated arc are added up; where an undirected edge is given in both directions,
/// its weight is the larger of the two sums, so that listing every edge in both directions changes nothing. The result
/// does not depend on the order of the arcs or the number of threads. O(arcs) time; in addition to the graph, 8 bytes
/// per arc (16 with weights), where an undirected edge is two arcs. Frees the input as early as possible.
GIR_API Graph build_graph(EdgeInput input);

/// The arcs in the opposite direction. O(arcs + nodes).
GIR_API Adjacency transpose(const Adjacency& adjacency);

/// The unordered pairs of nodes joined by at least one arc, without self loops: source < target, ascending. For an
/// undirected graph these are its edges, each once.
GIR_API Array<Arc> undirected_edges(const Graph& graph);

/// Number of undirected_edges(), without storing them.
GIR_API EdgeId count_undirected_edges(const Graph& graph);

/// The graph with every edge in both directions; weights are merged as in build_graph().
GIR_API Graph as_undirected(const Graph& graph);

/// The graph on the same nodes with the edges for which `keep(source, target)` is true. It is called once for an
/// undirected edge, with the smaller node first, and once for a self loop.
GIR_API Graph filter_edges(const Graph& graph, const std::function<bool(NodeId, NodeId)>& keep);

/// The graph on `nodes` (ascending, distinct) and the edges among them; nodes keep their names.
GIR_API Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes);

}  // namespace gir
