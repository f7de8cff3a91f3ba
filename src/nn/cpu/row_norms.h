#pragma once

#include "batch_norm.h"

namespace gir::cpu {

/// Mean and inverse standard deviation of a row.
struct RowNorm {
  double mean;
  double inverse_deviation;
};

/// out = (x - mean) * inverse_deviation * gamma + beta, with the statistics of every row, which are stored in `norms`.
template <typename Real>
void layer_norm_forward(const MatrixView<const Real>& x, const Affine<const Real>& affine, double epsilon,
                        RowNorm* norms, const MatrixView<Real>& out);

/// Gradients of the above, given the gradient of `out`. `d_x` without data is not computed.
template <typename Real>
void layer_norm_backward(const MatrixView<const Real>& x, const RowNorm* norms, const Real* gamma,
                         const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x,
                         const Affine<Real>& d_affine);

/// out = x / max(length, epsilon) for the L2 norm of every row, which is stored in `lengths`.
template <typename Real>
void l2_normalise_forward(const MatrixView<const Real>& x, double epsilon, double* lengths,
                          const MatrixView<Real>& out);

/// The gradient of x, given the result and its gradient.
template <typename Real>
void l2_normalise_backward(const MatrixView<const Real>& out, const double* lengths, double epsilon,
                           const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x);

}  // namespace gir::cpu
