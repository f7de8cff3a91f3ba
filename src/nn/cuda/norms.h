#pragma once

#include <cuda_runtime_api.h>

#include "epoch_stream.h"
#include "launch.h"

namespace gir::cuda {

/// Size of the workspace of the functions below, in doubles.
std::int64_t norm_workspace(const Grid& grid);

/// The sum of every column.
template <typename Real>
void sum_columns(const Real* x, const Grid& grid, Real* sums, double* workspace, cudaStream_t stream);

/// norms [2, columns]: mean and 1 / sqrt(variance + epsilon) of every column. Updates the running statistics.
template <typename Real>
void column_norms(const Real* x, const Grid& grid, double momentum, double epsilon, Real* running_mean,
                  Real* running_variance, double* norms, double* workspace, cudaStream_t stream);

/// Size of the bit mask of a fused activation, one byte per pack of values; 0 if rows cannot be read in packs, and the
/// backward pass has to read the result instead.
template <typename Real>
std::int64_t mask_bytes(const Grid& grid, const Real* x, const Real* out);

/// out = (x - mean) * inverse_deviation * gamma + beta, then ReLU and dropout if `activation` is not null. `mask` may
/// be null, and is null if mask_bytes() is 0.
template <typename Real>
void batch_norm(const Real* x, const Grid& grid, const double* norms, const Real* gamma, const Real* beta,
                const EpochDropout* activation, Real* out, std::uint8_t* mask, cudaStream_t stream);

/// The gradient of the result. With a fused activation either its `mask` or its result `out` determines where the
/// gradient passes; both are null without one.
template <typename Real>
struct NormGradient {
  const Real* d_out;
  const std::uint8_t* mask;
  const Real* out;
  Real scale;
};

/// Gradients of the above; `d_x` may be null. `factors` is a workspace [4, columns].
template <typename Real>
void batch_norm_back(const Real* x, const Grid& grid, const double* norms, bool own_moments, const Real* gamma,
                     const NormGradient<Real>& gradient, Real* d_x, Real* d_gamma, Real* d_beta, Real* factors,
                     double* workspace, cudaStream_t stream);

/// rows [rows, 2]: mean and inverse standard deviation of every row.
template <typename Real>
void layer_norm(const Real* x, const Grid& grid, const Real* gamma, const Real* beta, double epsilon, double* rows,
                Real* out, cudaStream_t stream);

template <typename Real>
void layer_norm_back(const Real* x, const Grid& grid, const double* rows, const Real* gamma, const Real* d_out,
                     Real* d_x, Real* d_gamma, Real* d_beta, double* workspace, cudaStream_t stream);

template <typename Real>
void l2_normalise(const Real* x, const Grid& grid, double epsilon, double* lengths, Real* out, cudaStream_t stream);

template <typename Real>
void l2_normalise_back(const Real* out, const Grid& grid, const double* lengths, double epsilon, const Real* d_out,
                       Real* d_x, cudaStream_t stream);

}  // namespace gir::cuda
