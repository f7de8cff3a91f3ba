#pragma once

#include "gir/nn/node_input.h"
#include "matrix_product.h"

namespace gir::cpu {

/// The values of an input, with or without dropout.
struct InputNumbers {
  const NodeInput& input;
  const InputDropout* dropout;  ///< null: no dropout

  NodeInput::Values values(std::size_t block) const {
    return dropout == nullptr ? input.values(block) : dropout->values(block);
  }
};

/// The summand of a product: one row for all nodes, or one row per node; null for zeros.
template <typename Real>
struct Base {
  const Real* values;
  bool by_row;
};

/// out = base + X w for the input matrix X.
template <typename Real>
void input_linear_forward(const InputNumbers& numbers, const MatrixView<const Real>& w, const Base<Real>& base,
                          const MatrixView<Real>& out);

/// d_w = Xᵀ d_out.
template <typename Real>
void input_linear_backward(const InputNumbers& numbers, const MatrixView<const Real>& d_out,
                           const MatrixView<Real>& d_w);

}  // namespace gir::cpu
