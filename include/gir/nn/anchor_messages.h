#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "gir/anchors/nearest_members.h"
#include "gir/core/array.h"

namespace gir {

/// For every node and anchor set the member that sends to the node and how far away it is, ready for P-GNN's layer.
class AnchorMessages {
 public:
  /// Where no member of a set reaches a node, the set's first member sends, from no distance (closeness 0). Sets are
  /// not empty. O(nodes * sets).
  AnchorMessages(const NearestMembers& nearest, const NodeSets& sets);

  std::int64_t num_nodes() const { return nodes_; }
  std::int64_t num_sets() const { return sets_; }

  /// Closeness 1/(d+1) of every distance that occurs; the last is 0, for no way. [num_distances()]
  const std::vector<float>& closeness() const { return closeness_; }

  // [nodes, sets]: who sends, and the position of the distance in closeness().
  const Array<NodeId>& members() const { return members_; }
  const Array<std::int32_t>& distances() const { return distances_; }

  /// A message as its sender sees it.
  struct Sent {
    NodeId receiver;
    std::int32_t set;       ///< that the sender is in
    std::int32_t distance;  ///< its position in closeness()
  };

  // Where a node sends to: node u's messages are sent[sent_offsets[u] .. sent_offsets[u+1]), receivers ascending.
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

// P-GNN's message from set i to node v, factored so that matrix products run once a node and not once a (node, set):
//   message(v, i) = ReLU(scale(v, i) * p_u + q_v),   W [scale h_u ‖ h_v] + b = scale (W_1 h_u) + (W_2 h_v + b)
// with u = members(v, i), p = h W_1 and q = h W_2 + b [nodes, width], and one scale a distance [distances]. Gradients
// for all tensors; `messages` must outlive the backward pass; the same bits on any number of threads.
// O(nodes * sets * width).

/// The mean of a node's messages: [nodes, width].
at::Tensor mean_anchor_messages(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                                const AnchorMessages& messages);

/// One number a message, its product with `weights` [width]: [nodes, sets].
at::Tensor anchor_positions(const at::Tensor& p, const at::Tensor& q, const at::Tensor& scales,
                            const at::Tensor& weights, const AnchorMessages& messages);

}  // namespace gir
