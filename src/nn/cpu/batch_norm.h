#pragma once

#include "activation.h"
#include "matrix_product.h"

namespace gir::cpu {

/// What normalised values are multiplied by and then moved by, a column each; or the gradients of these.
template <typename Real>
struct Affine {
  Real* gamma;
  Real* beta;
};

/// What is taken from the values of a column and what the rest is multiplied by, before gamma and beta.
struct ColumnNorms {
  const double* means;
  const double* inverse_deviations;
};

/// Mean and biased variance of every column; x has at least a row.
template <typename Real>
void column_moments(const MatrixView<const Real>& x, double* means, double* variances);

/// out = (x - mean) * inverse_deviation * gamma + beta; where `activation` is not null, relu_dropout_forward() of that.
template <typename Real>
void batch_norm_forward(const MatrixView<const Real>& x, const ColumnNorms& norms, const Affine<const Real>& affine,
                        const Dropout* activation, const MatrixView<Real>& out);

/// What is passed back to the norm's result: d_out itself, or what an activation with the result `out` makes of it.
template <typename Real>
struct NormGradient {
  MatrixView<const Real> d_out;
  const Real* out = nullptr;  ///< null: no activation
  double scale = 1;           ///< of the activation's dropout
};

/// Gradients of the above. `own_moments`: means and deviations are those of x, and change with it.
/// `d_x` may have no data: then it is not wanted.
template <typename Real>
void batch_norm_backward(const MatrixView<const Real>& x, const ColumnNorms& norms, bool own_moments, const Real* gamma,
                         const NormGradient<Real>& gradient, const MatrixView<Real>& d_x, const Affine<Real>& d_affine);

}  // namespace gir::cpu
