#pragma once

#include "../attention_sums.h"
#include "aggregate.h"
#include "matrix_product.h"

namespace gir::cpu {

/// [nodes, heads] each: what senders and receivers bring to the weights of messages; or the gradients of these.
template <typename Real>
struct AttentionScores {
  Real* senders;
  Real* receivers;
  std::int64_t heads;
};

/// out = base + Σ weight * q over a receiver's senders, a head at a time.
template <typename Real>
void attention_forward(const MessageRows& rows, const MatrixView<const Real>& base, const MatrixView<const Real>& q,
                       const AttentionScores<const Real>& scores, const AttentionSums<Real>& sums,
                       const MatrixView<Real>& out);

/// Gradients of q and the scores, given that of `out`.
template <typename Real>
void attention_backward(const MessageRows& rows, const MatrixView<const Real>& q,
                        const AttentionScores<const Real>& scores, const AttentionSums<const Real>& sums,
                        const MatrixView<const Real>& d_out, const MatrixView<Real>& d_q,
                        const AttentionScores<Real>& d_scores);

}  // namespace gir::cpu
