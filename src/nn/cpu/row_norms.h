#pragma once

#include "batch_norm.h"

namespace gir::cpu {

/// What is taken from the values of a row and what the rest is multiplied by, before gamma and beta.
struct RowNorm {
  double mean;
  double inverse_deviation;
};

/// out = (x - mean) * inverse_deviation * gamma + beta, with a norm a row that it also gives.
template <typename Real>
void layer_norm_forward(const MatrixView<const Real>& x, const Affine<const Real>& affine, double epsilon,
                        RowNorm* norms, const MatrixView<Real>& out);

/// Gradients of the above, given that of `out`. `d_x` may have no data: then it is not wanted.
template <typename Real>
void layer_norm_backward(const MatrixView<const Real>& x, const RowNorm* norms, const Real* gamma,
                         const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x,
                         const Affine<Real>& d_affine);

/// out = x / max(length, epsilon), with the length of every row, which it also gives.
template <typename Real>
void l2_normalise_forward(const MatrixView<const Real>& x, double epsilon, double* lengths,
                          const MatrixView<Real>& out);

/// The gradient of x, given the result and its gradient.
template <typename Real>
void l2_normalise_backward(const MatrixView<const Real>& out, const double* lengths, double epsilon,
                           const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x);

}  // namespace gir::cpu
