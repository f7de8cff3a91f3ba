#pragma once

#include "gir/nn/node_input.h"
#include "matrix_product.h"

namespace gir::cpu {

/// out = X w for the matrix X that `input` stands for.
template <typename Real>
void input_linear_forward(const NodeInput& input, const MatrixView<const Real>& w, const MatrixView<Real>& out);

/// d_w = Xᵀ d_out.
template <typename Real>
void input_linear_backward(const NodeInput& input, const MatrixView<const Real>& d_out, const MatrixView<Real>& d_w);

}  // namespace gir::cpu
