#pragma once

#include "gir/nn/pair_ops.h"
#include "matrix_product.h"

namespace gir::cpu {

/// products_p = z_u ⊙ z_v for `count` pairs, on the calling thread.
void multiply_pairs(const NodePair* pairs, std::int64_t count, const float* z, std::int64_t width, float* products);
void multiply_pairs(const NodePair* pairs, std::int64_t count, const double* z, std::int64_t width, double* products);

/// out_p = z_u ⊙ z_v for every pair p = (u, v).
void pair_product_forward(const PairBatch& batch, const MatrixView<const float>& z, const MatrixView<float>& out);
void pair_product_forward(const PairBatch& batch, const MatrixView<const double>& z, const MatrixView<double>& out);

/// d_z_v = Σ over pairs p of v, u being the other one, of d_out_p ⊙ z_u.
void pair_product_backward(const PairBatch& batch, const MatrixView<const float>& z,
                           const MatrixView<const float>& d_out, const MatrixView<float>& d_z);
void pair_product_backward(const PairBatch& batch, const MatrixView<const double>& z,
                           const MatrixView<const double>& d_out, const MatrixView<double>& d_z);

}  // namespace gir::cpu
