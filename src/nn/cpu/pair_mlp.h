#pragma once

#include "gir/nn/pair_ops.h"
#include "matrix_product.h"

namespace gir::cpu {

/// The weights of the MLP Linear(width -> hidden), ReLU, Linear(hidden -> 1), or their gradients.
template <typename Real>
struct MlpWeights {
  MatrixView<Real> hidden;  ///< [width, hidden]
  Real* hidden_bias;        ///< [hidden]
  Real* out;                ///< [hidden]
  Real* out_bias;           ///< [1]
};

/// scores_p = MLP(z_u ⊙ z_v) for every pair p = (u, v). If `sums` is not null, the pre-activations of the hidden layer
/// [pairs, hidden] are stored there for the backward pass. `hidden` is a multiple of kTileColumns.
template <typename Real>
void pair_mlp_forward(const PairBatch& batch, const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                      Real* sums, Real* scores);

/// Gradients of the above, given its pre-activations and the gradient of the scores. `d_sums` [pairs, hidden] is set to
/// the gradient of the pre-activations; reading it is faster if its rows are aligned to cache lines.
template <typename Real>
void pair_mlp_backward(const PairBatch& batch, const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                       const Real* sums, const Real* d_scores, Real* d_sums, const MatrixView<Real>& d_z,
                       const MlpWeights<Real>& d_weights);

}  // namespace gir::cpu
