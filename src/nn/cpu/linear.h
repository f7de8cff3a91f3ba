#pragma once

#include "matrix_product.h"

namespace gir::cpu {

/// out = x w + bias. Without `w.data` only the bias, without `bias` only the product; one of them may be null.
template <typename Real>
void linear_forward(const MatrixView<const Real>& x, const MatrixView<const Real>& w, const Real* bias,
                    const MatrixView<Real>& out);

/// Gradients of the above; those without data are not wanted. Without `w.data` x has a gradient of zero.
template <typename Real>
void linear_backward(const MatrixView<const Real>& x, const MatrixView<const Real>& w,
                     const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x, Real* d_w, Real* d_bias);

}  // namespace gir::cpu
