#pragma once

#include <cuda_runtime_api.h>

#include "epoch_stream.h"
#include "launch.h"

namespace gir::cuda {

/// Doubles of room that the functions below need for sums.
std::int64_t norm_room(const Grid& grid);

/// The sum of every column.
template <typename Real>
void sum_columns(const Real* x, const Grid& grid, Real* sums, double* room, cudaStream_t stream);

/// norms [2, columns]: mean and 1 / sqrt(variance + epsilon) of every column. Moves the running figures.
template <typename Real>
void column_norms(const Real* x, const Grid& grid, double momentum, double epsilon, Real* running_mean,
                  Real* running_variance, double* norms, double* room, cudaStream_t stream);

/// Bytes that tell which values an activation let through, a pack of values each; 0 where rows do not come in packs,
/// and the result itself has to tell.
template <typename Real>
std::int64_t kept_bytes(const Grid& grid, const Real* x, const Real* out);

/// out = (x - mean) * inverse_deviation * gamma + beta, then ReLU and dropout where `activation` is not null. `kept`
/// may be null, and is where kept_bytes() says 0.
template <typename Real>
void batch_norm(const Real* x, const Grid& grid, const double* norms, const Real* gamma, const Real* beta,
                const EpochDropout* activation, Real* out, std::uint8_t* kept, cudaStream_t stream);

/// What comes back to a norm. Where an activation follows, either `kept` or `out`, its result, says what it let
/// through; both are null without one.
template <typename Real>
struct NormGradient {
  const Real* d_out;
  const std::uint8_t* kept;
  const Real* out;
  Real scale;
};

/// Gradients of the above; `d_x` may be null. `factors` is room for [4, columns].
template <typename Real>
void batch_norm_back(const Real* x, const Grid& grid, const double* norms, bool own_moments, const Real* gamma,
                     const NormGradient<Real>& gradient, Real* d_x, Real* d_gamma, Real* d_beta, Real* factors,
                     double* room, cudaStream_t stream);

/// rows [rows, 2]: mean and inverse deviation of every row.
template <typename Real>
void layer_norm(const Real* x, const Grid& grid, const Real* gamma, const Real* beta, double epsilon, double* rows,
                Real* out, cudaStream_t stream);

template <typename Real>
void layer_norm_back(const Real* x, const Grid& grid, const double* rows, const Real* gamma, const Real* d_out,
                     Real* d_x, Real* d_gamma, Real* d_beta, double* room, cudaStream_t stream);

template <typename Real>
void l2_normalise(const Real* x, const Grid& grid, double epsilon, double* lengths, Real* out, cudaStream_t stream);

template <typename Real>
void l2_normalise_back(const Real* out, const Grid& grid, const double* lengths, double epsilon, const Real* d_out,
                       Real* d_x, cudaStream_t stream);

}  // namespace gir::cuda
