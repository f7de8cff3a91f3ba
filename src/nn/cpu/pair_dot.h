#pragma once

#include "gir/nn/pair_ops.h"
#include "matrix_product.h"

namespace gir::cpu {

/// scores_p = z_u · z_v for every pair p = (u, v).
template <typename Real>
void pair_dot_forward(const PairBatch& batch, const MatrixView<const Real>& z, Real* scores);

/// d_z_v = Σ over pairs p of v, u being the other one, of d_scores_p z_u.
template <typename Real>
void pair_dot_backward(const PairBatch& batch, const MatrixView<const Real>& z, const Real* d_scores,
                       const MatrixView<Real>& d_z);

}  // namespace gir::cpu
