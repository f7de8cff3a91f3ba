#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// The edges that leave one frontier S, as compact rows: only nodes that receive a message have one. Memory is
/// proportional to these edges, not to the graph.
struct FrontierEdges {
  Array<NodeId> receivers;       ///< nodes with an in-neighbour in S, ascending
  Array<EdgeId> offsets;         ///< receivers + 1: where a receiver's senders begin
  Array<NodeId> senders;         ///< N(v) ∩ S of every receiver v, ascending
  Array<float> weights;          ///< one an edge where messages are weighed, else empty
  Array<double> inverse_totals;  ///< of every receiver: 1 / its number of senders, or 1 / their summed weights

  // The transpose, for the way back.
  Array<NodeId> sending_nodes;    ///< nodes of S with an out-neighbour, ascending
  Array<EdgeId> sending_offsets;  ///< sending_nodes + 1
  Array<NodeId> receiving_nodes;  ///< whom a sending node sends to, ascending
  Array<float> sending_weights;   ///< one an edge where messages are weighed, else empty
};

/// Which edges carry messages, and how.
struct MessageOptions {
  bool weighted = false;       ///< weigh messages by the edges' weights, where the graph has them
  bool self_messages = false;  ///< a node of the frontier also sends to itself
};

/// What leaves `frontier` (ascending, distinct). O(edges), in parallel; the same on any number of threads.
/// UserError where messages are to be weighed and a receiver's weights are negative or add up to nothing.
FrontierEdges edges_leaving(const Graph& graph, std::span<const NodeId> frontier, const MessageOptions& options = {});

/// The frontiers S_1 = anchors, S_{l+1} = { w : u in S_l, u -> w } of a stack of layers, and what leaves them.
/// Layers whose frontiers are equal share one copy.
class FrontierPlan {
 public:
  /// UserError when there are no layers. Without anchors no node ever receives anything; with all nodes as
  /// anchors layer 1 has every edge. O(edges) a distinct frontier, in parallel; the same on any number of
  /// threads.
  FrontierPlan(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers,
               const MessageOptions& options = {});

  /// Every node sends in every layer, and to itself: the plan of a GCN.
  static FrontierPlan of_everyone(const Graph& graph, std::int64_t layers, bool weighted = false);

  std::int64_t num_layers() const { return std::ssize(layers_); }

  /// S of a layer, ascending; layers count from 0.
  std::span<const NodeId> frontier(std::int64_t layer) const { return stage(layer).frontier.span(); }
  const FrontierEdges& edges(std::int64_t layer) const { return stage(layer).edges; }

  /// Number of frontiers that are kept.
  std::int64_t num_distinct() const { return std::ssize(stages_); }

 private:
  struct Stage {
    Array<NodeId> frontier;
    FrontierEdges edges;
  };

  const Stage& stage(std::int64_t layer) const { return *stages_[layers_[static_cast<std::size_t>(layer)]]; }

  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::size_t> layers_;  ///< stage of every layer
};

}  // namespace gir
