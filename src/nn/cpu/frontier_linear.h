#pragma once

#include "aggregate.h"
#include "gir/core/types.h"
#include "matrix_product.h"

namespace gir::cpu {

/// Who receives from whom, and the same the other way round.
struct MessageRows {
  const NodeId* receivers;  ///< the node of every row of `incoming`
  EdgeRows incoming;        ///< columns are sending nodes
  const NodeId* senders;    ///< the node of every row of `outgoing`
  EdgeRows outgoing;        ///< columns are receiving nodes
};

/// A layer's weights, or their gradients; null where there is none.
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

/// Gradients of the above, given that of `out`. `d_h` may have no data: then it is not wanted.
template <typename Real>
void frontier_linear_backward(const MessageRows& rows, const MatrixView<const Real>& h,
                              const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                              const MatrixView<Real>& d_h, const LayerWeights<Real>& d_weights);

}  // namespace gir::cpu
