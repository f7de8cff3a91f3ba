#pragma once

#include "../attention_sums.h"
#include "aggregate.h"
#include "matrix_product.h"

namespace gir::cpu {

/// Attention scores of senders and receivers, [nodes, heads] each, or their gradients.
template <typename Real>
struct AttentionScores {
  Real* senders;
  Real* receivers;
  std::int64_t heads;
};

/// out = base + Σ weight * q over the senders of a receiver, per head. Also sets `sums`.
template <typename Real>
void attention_forward(const MessageRows& rows, const MatrixView<const Real>& base, const MatrixView<const Real>& q,
                       const AttentionScores<const Real>& scores, const AttentionSums<Real>& sums,
                       const MatrixView<Real>& out);

/// Gradients of q and the scores, given the gradient of `out`.
template <typename Real>
void attention_backward(const MessageRows& rows, const MatrixView<const Real>& q,
                        const AttentionScores<const Real>& scores, const AttentionSums<const Real>& sums,
                        const MatrixView<const Real>& d_out, const MatrixView<Real>& d_q,
                        const AttentionScores<Real>& d_scores);

}  // namespace gir::cpu
