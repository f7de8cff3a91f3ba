#pragma once

#include "../anchor_terms.h"
#include "gir/nn/anchor_messages.h"
#include "matrix_product.h"

namespace gir::cpu {

/// out_v = mean over sets of the messages.
template <typename Real>
void mean_messages_forward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, Real* out);

/// out(v, i) = weights · message(v, i).
template <typename Real>
void positions_forward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* weights,
                       Real* out);

/// Gradients of mean_messages_forward() given d_out [nodes, width].
template <typename Real>
void mean_messages_backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* d_out,
                            const AnchorTerms<Real>& gradients);

/// Gradients of positions_forward() given d_out [nodes, sets].
template <typename Real>
void positions_backward(const AnchorMessages& messages, const AnchorTerms<const Real>& terms, const Real* weights,
                        const Real* d_out, const AnchorTerms<Real>& gradients, Real* d_weights);

}  // namespace gir::cpu
