#pragma once

#include "gir/nn/node_input.h"
#include "matrix_product.h"

namespace gir::cpu {

/// An input, with or without some of its features dropped.
struct InputNumbers {
  const NodeInput& input;
  const InputDropout* dropout;  ///< null: as it is

  NodeInput::Values values(std::size_t block) const {
    return dropout == nullptr ? input.values(block) : dropout->values(block);
  }
};

/// What a product is added to: a row for all or a row each; null for zeros.
template <typename Real>
struct Base {
  const Real* values;
  bool by_row;
};

/// out = base + X w for the matrix X that the input stands for.
template <typename Real>
void input_linear_forward(const InputNumbers& numbers, const MatrixView<const Real>& w, const Base<Real>& base,
                          const MatrixView<Real>& out);

/// d_w = Xᵀ d_out.
template <typename Real>
void input_linear_backward(const InputNumbers& numbers, const MatrixView<const Real>& d_out,
                           const MatrixView<Real>& d_w);

}  // namespace gir::cpu
