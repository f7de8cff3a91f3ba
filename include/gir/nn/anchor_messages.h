#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gir/anchors/nearest_members.h"
#include "gir/core/array.h"

namespace gir {

/// For every node and anchor set: the member of the set that sends to the node, and its distance. Input of P-GNN's
/// layer.
class AnchorMessages {
 public:
  /// Where no member of a set reaches a node, the set's first member sends with closeness 0 (no path). Sets are not
  /// empty. O(nodes * sets).
  AnchorMessages(const NearestMembers& nearest, const NodeSets& sets);

  std::int64_t num_nodes() const { return nodes_; }
  std::int64_t num_sets() const { return sets_; }

  /// Closeness 1/(d+1) of every distance d that occurs; the last entry is 0, for no path.
  const std::vector<float>& closeness() const { return closeness_; }

  // [nodes, sets]: the sending member, and the index of its distance in closeness().
  const Array<NodeId>& members() const { return members_; }
  const Array<std::int32_t>& distances() const { return distances_; }

  /// A message in the list of its sender.
  struct Sent {
    NodeId receiver;
    std::int32_t set;       ///< the set that the sender represents
    std::int32_t distance;  ///< index in closeness()
  };

  // Messages by sender, for the gradients of senders: node u's messages are sent[sent_offsets[u] .. sent_offsets[u+1]),
  // receivers ascending.
  const Array<std::int64_t>& sent_offsets() const { return sent_offsets_; }
  const Array<Sent>& sent() const { return sent_; }

 private:
  std::int64_t nodes_;
  std::int64_t sets_;
  std::vector<float> closeness_;
  Array<NodeId> members_;
  Array<std::int32_t> distances_;
  Array<std::int64_t> sent_offsets_;
  Array<Sent> sent_;
};

// P-GNN's message from set i to node v (You et al., 2019), factored so that matrix products are computed once per node
// and not once per (node, set):
//   message(v, i) = ReLU(scale(v, i) * p_u + q_v),   W [scale h_u ‖ h_v] + b = scale (W_1 h_u) + (W_2 h_v + b)
// with u = members(v, i), p = h W_1 and q = h W_2 + b [nodes, width], and one scale per distance [distances]. All
// tensors have gradients; `messages` must outlive the backward pass; bit-identical on any number of threads.
// O(nodes * sets * width).

/// Mean of the messages of each node: [nodes, width].
at::Tensor mean_anchor_messages(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                                const AnchorMessages& messages);

/// Dot product of each message with `weights` [width]: [nodes, sets].
at::Tensor anchor_positions(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                            const at::Tensor& weights, const AnchorMessages& messages);

}  // namespace gir
