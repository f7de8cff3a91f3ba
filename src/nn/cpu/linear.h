#pragma once

#include "matrix_product.h"

namespace gir::cpu {

/// out = x w + bias. Either term is omitted if its pointer (`w.data`, `bias`) is null; zeros without both.
template <typename Real>
void linear_forward(const MatrixView<const Real>& x, const MatrixView<const Real>& w, const Real* bias,
                    const MatrixView<Real>& out);

/// Gradients of the above; those without data are not computed. Without `w.data` the gradient of x is zero.
template <typename Real>
void linear_backward(const MatrixView<const Real>& x, const MatrixView<const Real>& w,
                     const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x, Real* d_w, Real* d_bias);

}  // namespace gir::cpu
