#include "row_norms.h"

#include <algorithm>
#include <cmath>

#include "gir/core/vectorise.h"
#include "lane_sums.h"
#include "norm_blocks.h"
#include "partial_sums.h"

namespace gir::cpu {
namespace {

template <typename Real>
[[gnu::always_inline]] inline RowNorm norm_of(const Real* row, std::int64_t width, double epsilon) {
  const auto count = static_cast<double>(width);
  const double mean = lane_sum<double>(width, [&](std::int64_t j) { return static_cast<double>(row[j]); }) / count;
  const double squares = lane_sum<double>(width, [&](std::int64_t j) {
    const double difference = static_cast<double>(row[j]) - mean;
    return difference * difference;
  });
  return {.mean = mean, .inverse_deviation = 1 / std::sqrt(squares / count + epsilon)};
}

template <typename Real>
[[gnu::always_inline]] inline void layer_norm(const MatrixView<const Real>& x, const Affine<const Real>& affine,
                                              double epsilon, RowNorm* norms, Real* out) {
  const Real* __restrict gamma = affine.gamma;
  const Real* __restrict beta = affine.beta;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    Real* __restrict to = out + i * x.columns;
    norms[i] = norm_of(row, x.columns, epsilon);
    // Statistics are sums over the row and computed in double; a single operation per value does not need it.
    const Real mean = static_cast<Real>(norms[i].mean);
    const Real scale = static_cast<Real>(norms[i].inverse_deviation);
    for (std::int64_t j = 0; j < x.columns; ++j) to[j] = (row[j] - mean) * scale * gamma[j] + beta[j];
  }
}

/// With g = d_out gamma and n = (x - mean) * scale: d_x = scale * (g - mean of g - n * mean of g n).
template <typename Real>
[[gnu::always_inline]] inline void layer_norm_pass_back(const Real* __restrict row, const RowNorm& norm,
                                                        const Real* __restrict gamma, const Real* __restrict d_row,
                                                        std::int64_t width, Real* __restrict to) {
  const Real mean = static_cast<Real>(norm.mean);
  const Real scale = static_cast<Real>(norm.inverse_deviation);
  const double sum = lane_sum<double>(width, [&](std::int64_t j) { return static_cast<double>(d_row[j]) * gamma[j]; });
  const double products = lane_sum<double>(width, [&](std::int64_t j) {
    return static_cast<double>(d_row[j]) * gamma[j] * (static_cast<double>(row[j]) - norm.mean);
  });
  const auto count = static_cast<double>(width);
  const Real shift = static_cast<Real>(sum / count);
  const Real slope = static_cast<Real>(products / count * norm.inverse_deviation * norm.inverse_deviation);
  for (std::int64_t j = 0; j < width; ++j) {
    to[j] = scale * (d_row[j] * gamma[j] - shift - (row[j] - mean) * slope);
  }
}

template <typename Real>
[[gnu::always_inline]] inline void layer_norm_back(const MatrixView<const Real>& x, const RowNorm* norms,
                                                   const Real* gamma, const Real* d_out, Real* d_x,
                                                   double* __restrict d_gamma, double* __restrict d_beta) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    const Real* __restrict d_row = d_out + i * x.columns;
    const double mean = norms[i].mean;
    const double scale = norms[i].inverse_deviation;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      d_beta[j] += d_row[j];
      d_gamma[j] += static_cast<double>(d_row[j]) * ((static_cast<double>(row[j]) - mean) * scale);
    }
    if (d_x != nullptr) layer_norm_pass_back(row, norms[i], gamma, d_row, x.columns, d_x + i * x.columns);
  }
}

template <typename Real>
[[gnu::always_inline]] inline void l2_normalise(const MatrixView<const Real>& x, double epsilon, double* lengths,
                                                Real* out) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    Real* __restrict to = out + i * x.columns;
    lengths[i] = std::sqrt(dot<double>(row, row, x.columns));
    const Real factor = static_cast<Real>(1 / std::max(lengths[i], epsilon));
    for (std::int64_t j = 0; j < x.columns; ++j) to[j] = row[j] * factor;
  }
}

/// With y = x / length: d_x = (d_y - y (y · d_y)) / length. A row with a norm below epsilon is only scaled; the
/// gradient of a row of zeros is zero.
template <typename Real>
[[gnu::always_inline]] inline void l2_normalise_back(const MatrixView<const Real>& out, const double* lengths,
                                                     double epsilon, const Real* d_out, Real* d_x) {
  for (std::int64_t i = 0; i < out.rows; ++i) {
    const Real* __restrict row = out.data + i * out.columns;
    const Real* __restrict d_row = d_out + i * out.columns;
    Real* __restrict to = d_x + i * out.columns;
    const double along = lengths[i] > epsilon ? dot<double>(row, d_row, out.columns) : 0;
    const double factor = lengths[i] == 0 ? 0 : 1 / std::max(lengths[i], epsilon);
    const Real slope = static_cast<Real>(along);
    const Real scale = static_cast<Real>(factor);
    for (std::int64_t j = 0; j < out.columns; ++j) to[j] = (d_row[j] - row[j] * slope) * scale;
  }
}

#define GIR_RANGES(Real)                                                                                               \
  GIR_VECTORISED void layer_norm_rows(const MatrixView<const Real>& x, const Affine<const Real>& affine,               \
                                      double epsilon, RowNorm* norms, Real* out) {                                     \
    layer_norm(x, affine, epsilon, norms, out);                                                                        \
  }                                                                                                                    \
  GIR_VECTORISED void layer_norm_back_rows(const MatrixView<const Real>& x, const RowNorm* norms, const Real* gamma,   \
                                           const Real* d_out, Real* d_x, double* d_gamma, double* d_beta) {            \
    layer_norm_back(x, norms, gamma, d_out, d_x, d_gamma, d_beta);                                                     \
  }                                                                                                                    \
  GIR_VECTORISED void l2_normalise_rows(const MatrixView<const Real>& x, double epsilon, double* lengths, Real* out) { \
    l2_normalise(x, epsilon, lengths, out);                                                                            \
  }                                                                                                                    \
  GIR_VECTORISED void l2_normalise_back_rows(const MatrixView<const Real>& out, const double* lengths, double epsilon, \
                                             const Real* d_out, Real* d_x) {                                           \
    l2_normalise_back(out, lengths, epsilon, d_out, d_x);                                                              \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

}  // namespace

template <typename Real>
void layer_norm_forward(const MatrixView<const Real>& x, const Affine<const Real>& affine, double epsilon,
                        RowNorm* norms, const MatrixView<Real>& out) {
  parallel_for(x.rows, kRowsPerNormBlock, [&](std::int64_t begin, std::int64_t end) {
    layer_norm_rows(x.row_range(begin, end), affine, epsilon, norms + begin, out.data + begin * x.columns);
  });
}

template <typename Real>
void layer_norm_backward(const MatrixView<const Real>& x, const RowNorm* norms, const Real* gamma,
                         const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x,
                         const Affine<Real>& d_affine) {
  const std::int64_t width = x.columns;
  PartialSums<double> partial(kMaxNormChunks, 2 * width);
  const std::int64_t chunks = for_each_chunk(
      x.rows, kMaxNormChunks, kRowsPerNormChunk, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        partial.begin(chunk);
        layer_norm_back_rows(x.row_range(begin, end), norms + begin, gamma, d_out.data + begin * width,
                             d_x.data == nullptr ? nullptr : d_x.data + begin * width, partial.part(chunk),
                             partial.part(chunk) + width);
      });
  Array<double> totals(2 * width);
  partial.total(chunks, totals.data());
  for (std::int64_t j = 0; j < width; ++j) {
    d_affine.gamma[j] = static_cast<Real>(totals[j]);
    d_affine.beta[j] = static_cast<Real>(totals[width + j]);
  }
}

template <typename Real>
void l2_normalise_forward(const MatrixView<const Real>& x, double epsilon, double* lengths,
                          const MatrixView<Real>& out) {
  parallel_for(x.rows, kRowsPerNormBlock, [&](std::int64_t begin, std::int64_t end) {
    l2_normalise_rows(x.row_range(begin, end), epsilon, lengths + begin, out.data + begin * x.columns);
  });
}

template <typename Real>
void l2_normalise_backward(const MatrixView<const Real>& out, const double* lengths, double epsilon,
                           const MatrixView<const Real>& d_out, const MatrixView<Real>& d_x) {
  parallel_for(out.rows, kRowsPerNormBlock, [&](std::int64_t begin, std::int64_t end) {
    l2_normalise_back_rows(out.row_range(begin, end), lengths + begin, epsilon, d_out.data + begin * out.columns,
                           d_x.data + begin * out.columns);
  });
}

#define GIR_INSTANTIATE(Real)                                                                                     \
  template void layer_norm_forward(const MatrixView<const Real>&, const Affine<const Real>&, double, RowNorm*,    \
                                   const MatrixView<Real>&);                                                      \
  template void layer_norm_backward(const MatrixView<const Real>&, const RowNorm*, const Real*,                   \
                                    const MatrixView<const Real>&, const MatrixView<Real>&, const Affine<Real>&); \
  template void l2_normalise_forward(const MatrixView<const Real>&, double, double*, const MatrixView<Real>&);    \
  template void l2_normalise_backward(const MatrixView<const Real>&, const double*, double,                       \
                                      const MatrixView<const Real>&, const MatrixView<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
