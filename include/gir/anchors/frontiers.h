#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// The edges that leave a frontier S, in CSR form with rows only for nodes that receive a message: memory is
/// proportional to these edges, not to the graph.
struct GIR_API FrontierEdges {
  Array<NodeId> receivers;       ///< nodes with an in-neighbour in S, ascending
  Array<EdgeId> offsets;         ///< receivers + 1: index of a receiver's first sender
  Array<NodeId> senders;         ///< N(v) ∩ S of every receiver v, ascending
  Array<float> weights;          ///< one per edge where messages are weighted, else empty
  Array<double> inverse_totals;  ///< per receiver: 1 / its number of senders, or 1 / the sum of their weights

  // The transpose, for the backward pass.
  Array<NodeId> sending_nodes;    ///< nodes of S with an out-neighbour, ascending
  Array<EdgeId> sending_offsets;  ///< sending_nodes + 1
  Array<NodeId> receiving_nodes;  ///< receivers of every sending node, ascending
  Array<float> sending_weights;   ///< one per edge where messages are weighted, else empty
};

/// Which edges carry messages, and with which weight.
struct GIR_API MessageOptions {
  bool weighted = false;       ///< weight messages by edge weights, where the graph has them
  bool self_messages = false;  ///< a node of the frontier also sends to itself
};

/// The edges that leave `frontier` (ascending, distinct). O(edges), in parallel; the same result on any number of
/// threads. UserError where messages are weighted and an edge weight is negative.
GIR_API FrontierEdges edges_leaving(const Graph& graph, std::span<const NodeId> frontier,
                                    const MessageOptions& options = {});

/// The frontiers S_1 = anchors, S_{l+1} = { w : u in S_l, u -> w } of a stack of GIR layers, and the edges that leave
/// them. Layers with equal frontiers share one copy.
class GIR_API FrontierPlan {
 public:
  /// UserError when there are no layers. Without anchors no node ever receives a message; with all nodes as anchors,
  /// layer 1 has every edge. O(edges) per distinct frontier, in parallel; the same result on any number of threads.
  FrontierPlan(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers,
               const MessageOptions& options = {});

  /// The plan of a GCN: every node sends in every layer, also to itself.
  static FrontierPlan of_all_nodes(const Graph& graph, std::int64_t layers, bool weighted = false);

  std::int64_t num_layers() const { return std::ssize(layers_); }

  /// The frontier of a layer, ascending; layers count from 0.
  std::span<const NodeId> frontier(std::int64_t layer) const { return stage(layer).frontier.span(); }
  const FrontierEdges& edges(std::int64_t layer) const { return stage(layer).edges; }

  /// Number of distinct frontiers.
  std::int64_t num_distinct() const { return std::ssize(stages_); }

 private:
  struct Stage {
    Array<NodeId> frontier;
    FrontierEdges edges;
  };

  const Stage& stage(std::int64_t layer) const { return *stages_[layers_[static_cast<std::size_t>(layer)]]; }

  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::size_t> layers_;  ///< index of every layer's stage
};

}  // namespace gir
