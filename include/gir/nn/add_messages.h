#pragma once

#include <ATen/core/Tensor.h>

#include "gir/nn/messages.h"

namespace gir {

// For all of these base and q are [nodes, width], both float or both double, and contiguous. A node v that receives
// gets base_v plus what it makes of the rows q_u of its senders u, any other base_v alone. Gradients for all tensors;
// that of base is passed through. `messages` must outlive the backward pass. The same bits on any number of threads.

/// The sums of linear `messages` (mean, sum, gcn). Keeps nothing for the backward pass.
at::Tensor add_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages);

/// The largest of every channel (kMax). The first of equal senders gets the gradient. Keeps which sender it was, int32
/// [nodes, width], for the backward pass.
at::Tensor add_max_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages);

/// Means weighed by attention (kAttention). Scores are [nodes, heads]; heads divides width, and head k covers channels
/// [k width / heads, (k + 1) width / heads). There the weight of u for v is the softmax over v's senders of
/// LeakyReLU_0.2(sender_scores[u][k] + receiver_scores[v][k]), its numerators multiplied by the weights of the edges
/// where the plan has them. Keeps q, the scores and two values a node and head for the backward pass, none an edge.
at::Tensor add_attention_messages(const at::Tensor& base, const at::Tensor& q, const at::Tensor& sender_scores,
                                  const at::Tensor& receiver_scores, const Messages& messages);

}  // namespace gir
