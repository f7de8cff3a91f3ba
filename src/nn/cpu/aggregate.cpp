#include "aggregate.h"

#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

template <typename Real>
[[gnu::always_inline]] inline void add_scaled(Real factor, const Real* __restrict values, std::int64_t width,
                                              Real* __restrict sums) {
  for (std::int64_t j = 0; j < width; ++j) sums[j] += factor * values[j];
}

/// sums += row_factor * Σ weight * column_factor * values[column]
template <typename Real>
[[gnu::always_inline]] inline void add_row(const EdgeRows& edges, std::int64_t row, const Real* values,
                                           std::int64_t width, Real* sums) {
  const Real row_factor = edges.row_factors == nullptr ? Real{1} : static_cast<Real>(edges.row_factors[row]);
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    const std::int64_t column = edges.columns[edge];
    if (edge + 1 < edges.offsets[row + 1]) prefetch_row(values + edges.columns[edge + 1] * width, width);
    Real factor = row_factor;
    if (edges.weights != nullptr) factor *= static_cast<Real>(edges.weights[edge]);
    if (edges.column_factors != nullptr) factor *= static_cast<Real>(edges.column_factors[column]);
    add_scaled(factor, values + column * width, width, sums);
  }
}

template <typename Real>
[[gnu::always_inline]] inline void gather(const EdgeRows& edges, std::int64_t begin, std::int64_t end,
                                          const Real* values, std::int64_t width, Real* sums) {
  for (std::int64_t row = begin; row < end; ++row, sums += width) {
    std::fill(sums, sums + width, Real{0});
    add_row(edges, row, values, width, sums);
  }
}

template <typename Real>
[[gnu::always_inline]] inline void add_gathered(const EdgeRows& edges, std::int64_t begin, std::int64_t end,
                                                const NodeId* nodes, const Real* values, std::int64_t width,
                                                Real* out) {
  for (std::int64_t row = begin; row < end; ++row) add_row(edges, row, values, width, out + nodes[row] * width);
}

}  // namespace

GIR_VECTORISED void gather_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const float* values,
                                std::int64_t width, float* sums) {
  gather(edges, begin, end, values, width, sums);
}

GIR_VECTORISED void gather_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const double* values,
                                std::int64_t width, double* sums) {
  gather(edges, begin, end, values, width, sums);
}

GIR_VECTORISED void add_gathered_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const NodeId* nodes,
                                      const float* values, std::int64_t width, float* out) {
  add_gathered(edges, begin, end, nodes, values, width, out);
}

GIR_VECTORISED void add_gathered_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const NodeId* nodes,
                                      const double* values, std::int64_t width, double* out) {
  add_gathered(edges, begin, end, nodes, values, width, out);
}

}  // namespace gir::cpu
