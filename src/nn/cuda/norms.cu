#include "column_sums.cuh"
#include "dropout.cuh"
#include "norms.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// The gradient of the normalised value at one position, through a fused activation if there is one.
template <typename Real>
__device__ __forceinline__ Real passed(const NormGradient<Real>& gradient, std::int64_t at) {
  const Real d = gradient.d_out[at];
  if (gradient.mask != nullptr) {
    return gradient.mask[at / kPack<Real>] >> (at % kPack<Real>)&1 ? d * gradient.scale : Real{0};
  }
  return gradient.out == nullptr || gradient.out[at] > 0 ? d * gradient.scale : Real{0};
}

/// The same for a pack of values.
template <int kValues, typename Real>
__device__ __forceinline__ Pack<Real, kValues> passed_pack(const NormGradient<Real>& gradient, std::int64_t position) {
  Pack<Real, kValues> pack = load_pack<kValues>(gradient.d_out + position);
  if constexpr (kValues == 1) {
    pack.value[0] = passed(gradient, position);
  } else {
    const unsigned all = (1u << kValues) - 1;
    unsigned mask = all;
    if (gradient.mask != nullptr) {
      mask = gradient.mask[position / kValues];
    } else if (gradient.out != nullptr) {
      const Pack<Real, kValues> made = load_pack<kValues>(gradient.out + position);
      mask = 0;
#pragma unroll
      for (int k = 0; k < kValues; ++k) mask |= made.value[k] > 0 ? 1u << k : 0u;
    }
#pragma unroll
    for (int k = 0; k < kValues; ++k) pack.value[k] = mask >> k & 1 ? pack.value[k] * gradient.scale : Real{0};
  }
  return pack;
}

/// Column factors of the gradient of x: d_x = scale * (d - shift - (x - mean) * slope).
enum Factor { kMean, kScale, kShift, kSlope, kNumFactors };

/// Column factors of the forward pass, in registers of a thread.
template <typename Real, int kValues>
struct NormFactors {
  Pack<Real, kValues> means, scales, betas;
};

/// Normalises, and applies ReLU and dropout in the same kernel. `mask` gets one bit per value: the backward pass then
/// need not read the output.
template <typename Real, int kValues>
void apply_norm(const Real* x, const Grid& grid, const double* norms, const Real* gamma, const Real* beta,
                const EpochDropout& dropout, bool activate, Real* out, std::uint8_t* mask, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const auto prepare = [=] __device__(std::int64_t column) {
    NormFactors<Real, kValues> factors;
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      factors.means.value[k] = static_cast<Real>(norms[column + k]);
      factors.scales.value[k] = static_cast<Real>(norms[columns + column + k] * gamma[column + k]);
      factors.betas.value[k] = beta[column + k];
    }
    return factors;
  };
  const auto body = [=] __device__(std::int64_t position, const NormFactors<Real, kValues>& factors) {
    Pack<Real, kValues> pack = load_pack<kValues>(x + position);
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      const Real value = (pack.value[k] - factors.means.value[k]) * factors.scales.value[k] + factors.betas.value[k];
      pack.value[k] = activate ? relu(value) : value;
    }
    if (activate) drop(dropout, position, pack);
    store_pack(out + position, pack);
    if (mask == nullptr) return;
    unsigned bits = 0;
#pragma unroll
    for (int k = 0; k < kValues; ++k) bits |= pack.value[k] > 0 ? 1u << k : 0u;
    mask[position / kValues] = static_cast<std::uint8_t>(bits);
  };
  for_each_column_pack<kValues>(grid, stream, prepare, body);
}

template <typename Real, int kValues>
struct BackFactors {
  Pack<Real, kValues> means, scales, shifts, slopes;
};

template <typename Real, int kValues>
void pass_back(const Real* x, const Grid& grid, const NormGradient<Real>& gradient, const Real* factors, Real* d_x,
               cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const auto prepare = [=] __device__(std::int64_t column) {
    const auto factor = [&](Factor which) { return load_pack<kValues>(factors + which * columns + column); };
    return BackFactors<Real, kValues>{factor(kMean), factor(kScale), factor(kShift), factor(kSlope)};
  };
  const auto body = [=] __device__(std::int64_t position, const BackFactors<Real, kValues>& of_columns) {
    const Pack<Real, kValues> values = load_pack<kValues>(x + position);
    Pack<Real, kValues> pack = passed_pack<kValues>(gradient, position);
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      const Real d = pack.value[k];
      pack.value[k] =
          of_columns.scales.value[k] *
          (d - of_columns.shifts.value[k] - (values.value[k] - of_columns.means.value[k]) * of_columns.slopes.value[k]);
    }
    store_pack(d_x + position, pack);
  };
  for_each_column_pack<kValues>(grid, stream, prepare, body);
}

/// The sum of `value(column)` over a row, computed by a warp.
template <typename Value>
__device__ __forceinline__ double row_sum(std::int64_t columns, int lane, const Value& value) {
  double sum = 0;
  for (std::int64_t j = lane; j < columns; j += kWarp) sum += value(j);
  return warp_sum(sum);
}

}  // namespace

std::int64_t norm_workspace(const Grid& grid) { return column_sums_workspace(grid, 2); }

template <typename Real>
std::int64_t mask_bytes(const Grid& grid, const Real* x, const Real* out) {
  const bool packs = fits_packs<Real>(grid.columns, x) && fits_packs<Real>(grid.columns, out);
  return packs ? grid.size() / kPack<Real> : 0;
}

namespace {

/// `prepare` of column sums without column factors.
struct NoFactors {
  __device__ int operator()(std::int64_t) const { return 0; }
};

template <int kValues, typename Real>
void sum_columns_by(const Real* x, const Grid& grid, Real* sums, double* workspace, cudaStream_t stream) {
  const auto terms = [=] __device__(std::int64_t position, int, double(&totals)[kValues]) {
    const Pack<Real, kValues> pack = load_pack<kValues>(x + position);
#pragma unroll
    for (int k = 0; k < kValues; ++k) totals[k] += static_cast<double>(pack.value[k]);
  };
  const auto finish = [=] __device__(std::int64_t column, const double(&totals)[1]) {
    sums[column] = static_cast<Real>(totals[0]);
  };
  column_sums<1, kValues>(grid, NoFactors(), terms, finish, workspace, stream);
}

template <int kValues, typename Real, typename Finish>
void moments_by(const Real* x, const Grid& grid, const Finish& finish, double* workspace, cudaStream_t stream) {
  // The first row is subtracted before squaring, since E[x²] - E[x]² cancels for a mean far from zero.
  const auto prepare = [=] __device__(std::int64_t column) { return load_pack<kValues>(x + column); };
  const auto terms = [=] __device__(std::int64_t position, const Pack<Real, kValues>& shift,
                                    double(&sums)[2 * kValues]) {
    const Pack<Real, kValues> pack = load_pack<kValues>(x + position);
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      const double difference = static_cast<double>(pack.value[k]) - static_cast<double>(shift.value[k]);
      sums[k] += difference;
      sums[kValues + k] += difference * difference;
    }
  };
  column_sums<2, kValues>(grid, prepare, terms, finish, workspace, stream);
}

template <int kValues>
struct Means {
  double value[kValues];
};

/// Σ d and Σ d (x - mean).
template <int kValues, typename Real, typename Finish>
void gradient_sums_by(const Real* x, const Grid& grid, const double* norms, const NormGradient<Real>& gradient,
                      const Finish& finish, double* workspace, cudaStream_t stream) {
  const auto prepare = [=] __device__(std::int64_t column) {
    Means<kValues> means;
#pragma unroll
    for (int k = 0; k < kValues; ++k) means.value[k] = norms[column + k];
    return means;
  };
  const auto terms = [=] __device__(std::int64_t position, const Means<kValues>& means, double(&sums)[2 * kValues]) {
    const Pack<Real, kValues> values = load_pack<kValues>(x + position);
    const Pack<Real, kValues> pack = passed_pack<kValues>(gradient, position);
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      const double d = pack.value[k];
      sums[k] += d;
      sums[kValues + k] += d * (static_cast<double>(values.value[k]) - means.value[k]);
    }
  };
  column_sums<2, kValues>(grid, prepare, terms, finish, workspace, stream);
}

}  // namespace

template <typename Real>
void sum_columns(const Real* x, const Grid& grid, Real* sums, double* workspace, cudaStream_t stream) {
  fits_packs<Real>(grid.columns, x) ? sum_columns_by<kPack<Real>>(x, grid, sums, workspace, stream)
                                    : sum_columns_by<1>(x, grid, sums, workspace, stream);
}

template <typename Real>
void column_norms(const Real* x, const Grid& grid, double momentum, double epsilon, Real* running_mean,
                  Real* running_variance, double* norms, double* workspace, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const double rows = static_cast<double>(grid.rows);
  const double unbiased = grid.rows > 1 ? rows / (rows - 1) : 1;
  const auto update_running = [=] __device__(Real & running, double now) {
    running = static_cast<Real>((1 - momentum) * static_cast<double>(running) + momentum * now);
  };
  const auto finish = [=] __device__(std::int64_t column, const double(&sums)[2]) {
    const double offset = sums[0] / rows;
    double variance = sums[1] / rows - offset * offset;
    variance = variance < 0 ? 0 : variance;
    const double mean = static_cast<double>(x[column]) + offset;
    update_running(running_mean[column], mean);
    update_running(running_variance[column], variance * unbiased);
    norms[column] = mean;
    norms[columns + column] = 1 / sqrt(variance + epsilon);
  };
  fits_packs<Real>(columns, x) ? moments_by<kPack<Real>>(x, grid, finish, workspace, stream)
                               : moments_by<1>(x, grid, finish, workspace, stream);
}

template <typename Real>
void batch_norm(const Real* x, const Grid& grid, const double* norms, const Real* gamma, const Real* beta,
                const EpochDropout* activation, Real* out, std::uint8_t* mask, cudaStream_t stream) {
  const EpochDropout none{.threshold = 0, .scale = 1, .stream = {.captured = RandomStream(0, "")}};
  const EpochDropout& dropout = activation == nullptr ? none : *activation;
  const bool activate = activation != nullptr;
  const bool packs = fits_packs<Real>(grid.columns, x) && fits_packs<Real>(grid.columns, out);
  packs ? apply_norm<Real, kPack<Real>>(x, grid, norms, gamma, beta, dropout, activate, out, mask, stream)
        : apply_norm<Real, 1>(x, grid, norms, gamma, beta, dropout, activate, out, mask, stream);
}

template <typename Real>
void batch_norm_back(const Real* x, const Grid& grid, const double* norms, bool own_moments, const Real* gamma,
                     const NormGradient<Real>& gradient, Real* d_x, Real* d_gamma, Real* d_beta, Real* factors,
                     double* workspace, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const double share = own_moments ? 1 / static_cast<double>(grid.rows) : 0;
  const auto finish = [=] __device__(std::int64_t column, const double(&sums)[2]) {
    const double inverse = norms[columns + column];
    d_beta[column] = static_cast<Real>(sums[0]);
    d_gamma[column] = static_cast<Real>(sums[1] * inverse);
    const auto store_factor = [&](Factor which, double value) {
      factors[which * columns + column] = static_cast<Real>(value);
    };
    store_factor(kMean, norms[column]);
    store_factor(kScale, inverse * gamma[column]);
    store_factor(kShift, sums[0] * share);
    store_factor(kSlope, sums[1] * share * inverse * inverse);
  };
  const bool summed_in_packs = fits_packs<Real>(columns, x) && fits_packs<Real>(columns, gradient.d_out);
  summed_in_packs ? gradient_sums_by<kPack<Real>>(x, grid, norms, gradient, finish, workspace, stream)
                  : gradient_sums_by<1>(x, grid, norms, gradient, finish, workspace, stream);
  if (d_x == nullptr) return;
  const bool packs = fits_packs<Real>(columns, x) && fits_packs<Real>(columns, gradient.d_out) &&
                     fits_packs<Real>(columns, d_x) && fits_packs<Real>(columns, factors);
  packs ? pass_back<Real, kPack<Real>>(x, grid, gradient, factors, d_x, stream)
        : pass_back<Real, 1>(x, grid, gradient, factors, d_x, stream);
}

template <typename Real>
void layer_norm(const Real* x, const Grid& grid, const Real* gamma, const Real* beta, double epsilon, double* rows,
                Real* out, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const double count = static_cast<double>(columns);
  for_each_warp(grid.rows, stream, [=] __device__(std::int64_t row, int lane) {
    const Real* from = x + row * columns;
    const double mean = row_sum(columns, lane, [&](std::int64_t j) { return static_cast<double>(from[j]); }) / count;
    const double squares = row_sum(columns, lane, [&](std::int64_t j) {
      const double difference = static_cast<double>(from[j]) - mean;
      return difference * difference;
    });
    const double inverse = 1 / sqrt(squares / count + epsilon);
    if (lane == 0) {
      rows[2 * row] = mean;
      rows[2 * row + 1] = inverse;
    }
    for (std::int64_t j = lane; j < columns; j += kWarp) {
      out[row * columns + j] = (from[j] - static_cast<Real>(mean)) * static_cast<Real>(inverse) * gamma[j] + beta[j];
    }
  });
}

template <typename Real>
void layer_norm_back(const Real* x, const Grid& grid, const double* rows, const Real* gamma, const Real* d_out,
                     Real* d_x, Real* d_gamma, Real* d_beta, double* workspace, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  const auto terms = [=] __device__(std::int64_t at, int, double(&sums)[2]) {
    const std::int64_t row = at / columns;
    const double d = d_out[at];
    sums[0] += d;
    sums[1] += d * ((static_cast<double>(x[at]) - rows[2 * row]) * rows[2 * row + 1]);
  };
  const auto finish = [=] __device__(std::int64_t column, const double(&sums)[2]) {
    d_beta[column] = static_cast<Real>(sums[0]);
    d_gamma[column] = static_cast<Real>(sums[1]);
  };
  column_sums<2, 1>(grid, NoFactors(), terms, finish, workspace, stream);
  if (d_x == nullptr) return;
  const double count = static_cast<double>(columns);
  for_each_warp(grid.rows, stream, [=] __device__(std::int64_t row, int lane) {
    const Real* from = x + row * columns;
    const Real* d_row = d_out + row * columns;
    const double mean = rows[2 * row];
    const double inverse = rows[2 * row + 1];
    const auto g = [&](std::int64_t j) { return static_cast<double>(d_row[j]) * gamma[j]; };
    const double sum = row_sum(columns, lane, g);
    const double products =
        row_sum(columns, lane, [&](std::int64_t j) { return g(j) * (static_cast<double>(from[j]) - mean); });
    const Real shift = static_cast<Real>(sum / count);
    const Real slope = static_cast<Real>(products / count * inverse * inverse);
    for (std::int64_t j = lane; j < columns; j += kWarp) {
      d_x[row * columns + j] =
          static_cast<Real>(inverse) * (d_row[j] * gamma[j] - shift - (from[j] - static_cast<Real>(mean)) * slope);
    }
  });
}

template <typename Real>
void l2_normalise(const Real* x, const Grid& grid, double epsilon, double* lengths, Real* out, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  for_each_warp(grid.rows, stream, [=] __device__(std::int64_t row, int lane) {
    const Real* from = x + row * columns;
    const double length = sqrt(row_sum(
        columns, lane, [&](std::int64_t j) { return static_cast<double>(from[j]) * static_cast<double>(from[j]); }));
    if (lane == 0) lengths[row] = length;
    const Real factor = static_cast<Real>(1 / max(length, epsilon));
    for (std::int64_t j = lane; j < columns; j += kWarp) out[row * columns + j] = from[j] * factor;
  });
}

template <typename Real>
void l2_normalise_back(const Real* out, const Grid& grid, const double* lengths, double epsilon, const Real* d_out,
                       Real* d_x, cudaStream_t stream) {
  const std::int64_t columns = grid.columns;
  for_each_warp(grid.rows, stream, [=] __device__(std::int64_t row, int lane) {
    const Real* made = out + row * columns;
    const Real* d_row = d_out + row * columns;
    const double length = lengths[row];
    const double products = row_sum(
        columns, lane, [&](std::int64_t j) { return static_cast<double>(made[j]) * static_cast<double>(d_row[j]); });
    // A row with a norm below epsilon is only scaled; the gradient of a row of zeros is zero.
    const Real slope = static_cast<Real>(length > epsilon ? products : 0);
    const Real scale = static_cast<Real>(length == 0 ? 0 : 1 / max(length, epsilon));
    for (std::int64_t j = lane; j < columns; j += kWarp) {
      d_x[row * columns + j] = (d_row[j] - made[j] * slope) * scale;
    }
  });
}

#define GIR_INSTANTIATE(Real)                                                                                          \
  template std::int64_t mask_bytes(const Grid&, const Real*, const Real*);                                             \
  template void sum_columns(const Real*, const Grid&, Real*, double*, cudaStream_t);                                   \
  template void column_norms(const Real*, const Grid&, double, double, Real*, Real*, double*, double*, cudaStream_t);  \
  template void batch_norm(const Real*, const Grid&, const double*, const Real*, const Real*, const EpochDropout*,     \
                           Real*, std::uint8_t*, cudaStream_t);                                                        \
  template void batch_norm_back(const Real*, const Grid&, const double*, bool, const Real*, const NormGradient<Real>&, \
                                Real*, Real*, Real*, Real*, double*, cudaStream_t);                                    \
  template void layer_norm(const Real*, const Grid&, const Real*, const Real*, double, double*, Real*, cudaStream_t);  \
  template void layer_norm_back(const Real*, const Grid&, const double*, const Real*, const Real*, Real*, Real*,       \
                                Real*, double*, cudaStream_t);                                                         \
  template void l2_normalise(const Real*, const Grid&, double, double*, Real*, cudaStream_t);                          \
  template void l2_normalise_back(const Real*, const Grid&, const double*, double, const Real*, Real*, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
