#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"

namespace gir {

/// One direction of a graph's edges in compressed rows: the neighbours of node v are
/// neighbors[offsets[v] .. offsets[v+1]), ascending and distinct.
struct Adjacency {
  Array<EdgeId> offsets;    ///< num_nodes + 1 values
  Array<NodeId> neighbors;  ///< one an arc
  Array<float> weights;     ///< one an arc, empty where the graph has none

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

/// An immutable graph. An undirected edge is two arcs; repeated edges are one; self loops are known but
/// kept apart from the arcs, because they carry no message. Made by build_graph().
class Graph {
 public:
  std::int64_t num_nodes() const { return names_.size(); }

  /// Directed edges without self loops; an undirected edge counts twice.
  EdgeId num_arcs() const { return out_.neighbors.size(); }

  bool directed() const { return directed_; }
  bool weighted() const { return weighted_; }

  /// Arcs by source. For an undirected graph in() is the same object.
  const Adjacency& out() const { return out_; }
  const Adjacency& in() const { return directed_ ? in_ : out_; }

  std::span<const NodeId> out_neighbors(NodeId node) const { return out().row(node); }
  std::span<const NodeId> in_neighbors(NodeId node) const { return in().row(node); }
  EdgeId out_degree(NodeId node) const { return out_.offsets[node + 1] - out_.offsets[node]; }
  EdgeId in_degree(NodeId node) const { return in().offsets[node + 1] - in().offsets[node]; }

  /// Whether source -> target is an arc. O(log out-degree).
  bool has_arc(NodeId source, NodeId target) const;

  /// Nodes with an edge to themselves, ascending, and the weights of these edges where there are any.
  std::span<const NodeId> self_loops() const { return self_loops_.span(); }
  std::span<const float> self_loop_weights() const { return self_loop_weights_.span(); }

  /// What the nodes are called in the user's files.
  const NodeNames& names() const { return names_; }

  /// Content hash over nodes, names, edges and weights: 32 hexadecimal digits. Equal for equal graphs
  /// whatever file or order of lines they came from. O(edges), in parallel.
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

/// A node's edges, in and out together where the graph is directed.
inline EdgeId total_degree(const Graph& graph, NodeId node) {
  return graph.out_degree(node) + (graph.directed() ? graph.in_degree(node) : 0);
}

/// What a graph is built from.
struct EdgeInput {
  Array<Arc> arcs;            ///< in any order, with repetitions and self loops
  Array<float> weights = {};  ///< one an arc, or empty
  bool directed = false;      ///< otherwise every arc also runs backwards
  NodeNames names = {};       ///< one a node
};

/// Builds a graph. The weights of an arc given several times are added; where an undirected edge is given
/// in both directions, the larger of the two sums is its weight, so that listing every edge both ways
/// changes nothing. The result does not depend on the order of the arcs or the number of threads.
/// O(arcs) time; beside the graph it takes 8 bytes an arc (16 with weights), an undirected edge being two arcs.
/// The input is freed on the way.
Graph build_graph(EdgeInput input);

/// Arcs of the other direction. O(arcs + nodes).
Adjacency transpose(const Adjacency& adjacency);

/// The unordered pairs joined by at least one arc, self loops left out: source < target, ascending. For an
/// undirected graph these are its edges, each once.
Array<Arc> undirected_edges(const Graph& graph);

/// Number of undirected_edges(), without making them.
EdgeId count_undirected_edges(const Graph& graph);

/// The same graph with every edge running both ways; weights merge as in build_graph().
Graph as_undirected(const Graph& graph);

/// The graph on the same nodes with the edges for which `keep(source, target)` says yes; an undirected edge is
/// asked for once, its smaller node first, and so is a self loop.
Graph filter_edges(const Graph& graph, const std::function<bool(NodeId, NodeId)>& keep);

/// The graph on `nodes` (ascending, distinct) and the edges among them; names stay with their nodes.
Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes);

}  // namespace gir
