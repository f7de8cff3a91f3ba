#pragma once

#include "gir/nn/pair_ops.h"
#include "matrix_product.h"

namespace gir::cpu {

/// A perceptron's weights, or their gradients: Linear(width -> hidden), ReLU, Linear(hidden -> 1).
template <typename Real>
struct PerceptronWeights {
  MatrixView<Real> hidden;  ///< [width, hidden]
  Real* hidden_bias;        ///< [hidden]
  Real* out;                ///< [hidden]
  Real* out_bias;           ///< [1]
};

/// scores_p = perceptron(z_u ⊙ z_v) for every pair p = (u, v). Where `sums` is not null it gets the hidden sums before
/// the ReLU [pairs, hidden], for the way back. `hidden` is a multiple of kTileColumns.
template <typename Real>
void pair_mlp_forward(const PairBatch& batch, const MatrixView<const Real>& z,
                      const PerceptronWeights<const Real>& weights, Real* sums, Real* scores);

/// Gradients of the above, given its hidden sums and the gradient of the scores. `d_sums` gets those of the sums; rows
/// that begin where a cache line does are read faster.
template <typename Real>
void pair_mlp_backward(const PairBatch& batch, const MatrixView<const Real>& z,
                       const PerceptronWeights<const Real>& weights, const Real* sums, const Real* d_scores,
                       Real* d_sums, const MatrixView<Real>& d_z, const PerceptronWeights<Real>& d_weights);

}  // namespace gir::cpu
