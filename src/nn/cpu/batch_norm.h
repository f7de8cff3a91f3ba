#pragma once

#include "activation.h"
#include "matrix_product.h"

namespace gir::cpu {

/// Scale and shift of normalised values, per column; or their gradients.
template <typename Real>
struct Affine {
  Real* gamma;
  Real* beta;
};

/// Mean and inverse standard deviation of every column.
struct ColumnNorms {
  const double* means;
  const double* inverse_deviations;
};

/// Mean and biased variance of every column; x has at least one row.
template <typename Real>
void column_moments(const MatrixView<const Real>& x, double* means, double* variances);

/// out = (x - mean) * inverse_deviation * gamma + beta; followed by relu_dropout_forward() if `activation` is not null.
template <typename Real>
void batch_norm_forward(const MatrixView<const Real>& x, const ColumnNorms& norms, const Affine<const Real>& affine,
                        const Dropout* activation, const MatrixView<Real>& out);

/// The gradient of the result: d_out is that of the normalised values, or of the result `out` of a fused activation.
template <typename Real>
struct NormGradient {
  MatrixView<const Real> d_out;
  const Real* out = nullptr;  ///< null: no activation
  double scale = 1;           ///< dropout scale of the activation
};

/// Gradients of the above. `own_moments`: `norms` are batch statistics of x, so the gradient flows through them, too.
/// `d_x` without data is not computed.
template <typename Real>
void batch_norm_backward(const MatrixView<const Real>& x, const ColumnNorms& norms, bool own_moments, const Real* gamma,
                         const NormGradient<Real>& gradient, const MatrixView<Real>& d_x, const Affine<Real>& d_affine);

}  // namespace gir::cpu
