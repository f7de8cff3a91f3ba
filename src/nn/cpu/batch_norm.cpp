#include "batch_norm.h"

#include <algorithm>
#include <vector>

#include "gir/core/vectorise.h"
#include "norm_blocks.h"
#include "partial_sums.h"

namespace gir::cpu {
namespace {

/// Σ d and Σ d² of d = x - shift, per column.
template <typename Real>
[[gnu::always_inline]] inline void add_moments(const MatrixView<const Real>& x, const Real* __restrict shift,
                                               double* __restrict sums, double* __restrict squares) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      const double difference = static_cast<double>(row[j]) - static_cast<double>(shift[j]);
      sums[j] += difference;
      squares[j] += difference * difference;
    }
  }
}

/// Σ d_out and Σ d_out (x - mean), per column.
template <typename Real>
[[gnu::always_inline]] inline void add_gradients(const MatrixView<const Real>& x, const double* __restrict means,
                                                 const Real* __restrict d_out, double* __restrict sums,
                                                 double* __restrict products) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    const Real* __restrict d_row = d_out + i * x.columns;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      const double gradient = d_row[j];
      sums[j] += gradient;
      products[j] += gradient * (row[j] - means[j]);
    }
  }
}

template <typename Real>
[[gnu::always_inline]] inline void normalise(const MatrixView<const Real>& x, const Real* __restrict means,
                                             const Real* __restrict scales, const Real* __restrict beta,
                                             Real* __restrict out) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    Real* __restrict to = out + i * x.columns;
    for (std::int64_t j = 0; j < x.columns; ++j) to[j] = (row[j] - means[j]) * scales[j] + beta[j];
  }
}

/// Column factors of the gradient of x: d_x = scale * (d_out - shift - (x - mean) * slope).
template <typename Real>
struct Back {
  std::vector<Real> means;
  std::vector<Real> scales;
  std::vector<Real> shifts;
  std::vector<Real> slopes;
};

template <typename Real>
[[gnu::always_inline]] inline void pass_back(const MatrixView<const Real>& x, const Back<Real>& back,
                                             const Real* __restrict d_out, Real* __restrict d_x) {
  const Real* __restrict means = back.means.data();
  const Real* __restrict scales = back.scales.data();
  const Real* __restrict shifts = back.shifts.data();
  const Real* __restrict slopes = back.slopes.data();
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Real* __restrict row = x.data + i * x.columns;
    const Real* __restrict d_row = d_out + i * x.columns;
    Real* __restrict to = d_x + i * x.columns;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      to[j] = scales[j] * (d_row[j] - shifts[j] - (row[j] - means[j]) * slopes[j]);
    }
  }
}

#define GIR_RANGES(Real)                                                                                         \
  GIR_VECTORISED void add_moments_of(const MatrixView<const Real>& x, const Real* shift, double* sums,           \
                                     double* squares) {                                                          \
    add_moments(x, shift, sums, squares);                                                                        \
  }                                                                                                              \
  GIR_VECTORISED void add_gradients_of(const MatrixView<const Real>& x, const double* means, const Real* d_out,  \
                                       double* sums, double* products) {                                         \
    add_gradients(x, means, d_out, sums, products);                                                              \
  }                                                                                                              \
  GIR_VECTORISED void normalise_rows(const MatrixView<const Real>& x, const Real* means, const Real* scales,     \
                                     const Real* beta, Real* out) {                                              \
    normalise(x, means, scales, beta, out);                                                                      \
  }                                                                                                              \
  GIR_VECTORISED void pass_back_rows(const MatrixView<const Real>& x, const Back<Real>& back, const Real* d_out, \
                                     Real* d_x) {                                                                \
    pass_back(x, back, d_out, d_x);                                                                              \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

/// value(j) of every column j.
template <typename Real, typename Value>
std::vector<Real> by_column(std::int64_t columns, const Value& value) {
  std::vector<Real> values(static_cast<std::size_t>(columns));
  for (std::int64_t j = 0; j < columns; ++j) values[static_cast<std::size_t>(j)] = static_cast<Real>(value(j));
  return values;
}

/// The gradient of the normalised values in rows [begin, end): d_out itself, or, with a fused activation, computed in
/// `workspace`.
template <typename Real>
const Real* passed_back(const NormGradient<Real>& gradient, std::int64_t begin, std::int64_t end,
                        std::vector<Real>& workspace) {
  const MatrixView<const Real> d_out = gradient.d_out.row_range(begin, end);
  if (gradient.out == nullptr) return d_out.data;
  const std::int64_t size = d_out.rows * d_out.columns;
  workspace.resize(static_cast<std::size_t>(size));
  pass_back_range(gradient.out + begin * d_out.columns, d_out.data, size, static_cast<Real>(gradient.scale),
                  workspace.data());
  return workspace.data();
}

}  // namespace

template <typename Real>
void column_moments(const MatrixView<const Real>& x, double* means, double* variances) {
  // The first row is subtracted before squaring, since E[x²] - E[x]² cancels catastrophically for a mean far from zero.
  // The shifted sums contain a zero for that row, so offset² is at most `rows` times the variance; double absorbs that.
  const Real* shift = x.data;
  const std::int64_t width = x.columns;
  PartialSums<double> partial(kMaxNormChunks, 2 * width);
  const std::int64_t chunks = for_each_chunk(
      x.rows, kMaxNormChunks, kRowsPerNormChunk, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        partial.begin(chunk);
        add_moments_of(x.row_range(begin, end), shift, partial.part(chunk), partial.part(chunk) + width);
      });
  Array<double> totals(2 * width);
  partial.total(chunks, totals.data());
  const auto rows = static_cast<double>(x.rows);
  for (std::int64_t j = 0; j < width; ++j) {
    const double offset = totals[j] / rows;
    const double variance = totals[width + j] / rows - offset * offset;
    means[j] = static_cast<double>(shift[j]) + offset;
    variances[j] = variance < 0 ? 0 : variance;
  }
}

template <typename Real>
void batch_norm_forward(const MatrixView<const Real>& x, const ColumnNorms& norms, const Affine<const Real>& affine,
                        const Dropout* activation, const MatrixView<Real>& out) {
  const auto means = by_column<Real>(x.columns, [&](std::int64_t j) { return norms.means[j]; });
  const auto scales =
      by_column<Real>(x.columns, [&](std::int64_t j) { return norms.inverse_deviations[j] * affine.gamma[j]; });
  parallel_for(x.rows, kRowsPerNormBlock, [&](std::int64_t begin, std::int64_t end) {
    normalise_rows(x.row_range(begin, end), means.data(), scales.data(), affine.beta, out.data + begin * x.columns);
    if (activation == nullptr) return;
    relu_dropout_range(out.data, begin * x.columns, end * x.columns, *activation, out.data);
  });
}

template <typename Real>
void batch_norm_backward(const MatrixView<const Real>& x, const ColumnNorms& norms, bool own_moments, const Real* gamma,
                         const NormGradient<Real>& gradient, const MatrixView<Real>& d_x,
                         const Affine<Real>& d_affine) {
  const std::int64_t width = x.columns;
  PartialSums<double> partial(kMaxNormChunks, 2 * width);
  const std::int64_t chunks = for_each_chunk(
      x.rows, kMaxNormChunks, kRowsPerNormChunk, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        partial.begin(chunk);
        std::vector<Real> workspace;
        for (std::int64_t first = begin; first < end; first += kRowsPerNormBlock) {
          const std::int64_t last = std::min(first + kRowsPerNormBlock, end);
          add_gradients_of(x.row_range(first, last), norms.means, passed_back(gradient, first, last, workspace),
                           partial.part(chunk), partial.part(chunk) + width);
        }
      });
  Array<double> totals(2 * width);
  partial.total(chunks, totals.data());
  const double* sums = totals.data();
  const double* products = totals.data() + width;
  const double* inverse = norms.inverse_deviations;
  for (std::int64_t j = 0; j < width; ++j) {
    d_affine.beta[j] = static_cast<Real>(sums[j]);
    d_affine.gamma[j] = static_cast<Real>(products[j] * inverse[j]);
  }
  if (d_x.data == nullptr) return;
  const double share = own_moments ? 1 / static_cast<double>(x.rows) : 0;
  const Back<Real> back{
      .means = by_column<Real>(width, [&](std::int64_t j) { return norms.means[j]; }),
      .scales = by_column<Real>(width, [&](std::int64_t j) { return inverse[j] * gamma[j]; }),
      .shifts = by_column<Real>(width, [&](std::int64_t j) { return sums[j] * share; }),
      .slopes = by_column<Real>(width, [&](std::int64_t j) { return products[j] * share * inverse[j] * inverse[j]; })};
  parallel_for(x.rows, kRowsPerNormBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> workspace;
    pass_back_rows(x.row_range(begin, end), back, passed_back(gradient, begin, end, workspace),
                   d_x.data + begin * width);
  });
}

#define GIR_INSTANTIATE(Real)                                                                                    \
  template void column_moments(const MatrixView<const Real>&, double*, double*);                                 \
  template void batch_norm_forward(const MatrixView<const Real>&, const ColumnNorms&, const Affine<const Real>&, \
                                   const Dropout*, const MatrixView<Real>&);                                     \
  template void batch_norm_backward(const MatrixView<const Real>&, const ColumnNorms&, bool, const Real*,        \
                                    const NormGradient<Real>&, const MatrixView<Real>&, const Affine<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
