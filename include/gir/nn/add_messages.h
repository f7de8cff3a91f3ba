#pragma once

#include <ATen/core/Tensor.h>

#include "gir/nn/messages.h"

namespace gir {

// For all of these base and q are [nodes, width], both float or both double, and contiguous. The result for a receiver
// v is base_v plus the aggregate of the rows q_u of its senders u; for any other node it is base_v. All tensors have
// gradients; that of base is the gradient of the result itself. `messages` must outlive the backward pass.
// Bit-identical on any number of threads.

/// Linear aggregation (mean, sum, gcn). Saves nothing for the backward pass.
at::Tensor add_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages);

/// Maximum per channel (kMax). Of several senders with the same maximum the first one gets the gradient. Saves the
/// argmax, int32 [nodes, width], for the backward pass.
at::Tensor add_max_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages);

/// Attention-weighted mean (kAttention). Scores are [nodes, heads]; heads divides width, and head k covers channels
/// [k width / heads, (k + 1) width / heads). In head k the weight of u for v is the softmax over v's senders of
/// LeakyReLU_0.2(sender_scores[u][k] + receiver_scores[v][k]), its numerators multiplied by the edge weights where the
/// plan has them. Saves q, the scores and two values per node and head for the backward pass, nothing per edge.
at::Tensor add_attention_messages(const at::Tensor& base, const at::Tensor& q, const at::Tensor& sender_scores,
                                  const at::Tensor& receiver_scores, const Messages& messages);

}  // namespace gir
