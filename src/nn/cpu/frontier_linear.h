#pragma once

#include "aggregate.h"
#include "matrix_product.h"

namespace gir::cpu {

/// The weights of a layer, or their gradients; null if omitted.
template <typename Real>
struct LayerWeights {
  Real* self;      ///< [in, out]
  Real* messages;  ///< [in, out]
  Real* bias;      ///< [out]
};

/// out = h W_self + messages(h) W_messages + b.
template <typename Real>
void frontier_linear_forward(const MessageRows& rows, const MatrixView<const Real>& h,
                             const LayerWeights<const Real>& weights, const MatrixView<Real>& out);

/// Gradients of the above, given the gradient of `out`. `d_h` without data is not computed.
template <typename Real>
void frontier_linear_backward(const MessageRows& rows, const MatrixView<const Real>& h,
                              const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                              const MatrixView<Real>& d_h, const LayerWeights<Real>& d_weights);

}  // namespace gir::cpu
