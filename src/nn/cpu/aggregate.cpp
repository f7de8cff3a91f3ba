#include "aggregate.h"

#include "gir/core/vectorise.h"
#include "lanes.h"

namespace gir::cpu {
namespace {

/// Sums of a row of any width: they stay in memory.
template <typename Real>
struct WideSums {
  Real* __restrict sums;
  std::int64_t width;

  [[gnu::always_inline]] void add(Real factor, const Real* __restrict values) {
    for (std::int64_t j = 0; j < width; ++j) sums[j] += factor * values[j];
  }
};

/// Sums of a row so narrow that they stay in registers, and go back to memory at the end.
template <int kVectors, typename Real>
class NarrowSums {
 public:
  [[gnu::always_inline]] explicit NarrowSums(Real* to) : to_(to), sums_(to) {}
  NarrowSums(const NarrowSums&) = delete;
  NarrowSums& operator=(const NarrowSums&) = delete;
  [[gnu::always_inline]] ~NarrowSums() {
    for (int k = 0; k < kVectors; ++k) lanes(to_ + k * kLaneCount) = sums_.part[k];
  }

  [[gnu::always_inline]] void add(Real factor, const Real* values) {
    for (int k = 0; k < kVectors; ++k) sums_.part[k] += factor * lanes(values + k * kLaneCount);
  }

 private:
  Real* to_;
  Channels<kVectors, Real> sums_;
};

/// sums += row_factor * Σ weight * column_factor * values[column]
template <typename Real, typename Sums>
[[gnu::always_inline]] inline void add_edges(const EdgeRows& edges, std::int64_t row, const Real* values,
                                             std::int64_t width, Sums sums) {
  const Real row_factor = edges.row_factors == nullptr ? Real{1} : static_cast<Real>(edges.row_factors[row]);
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    const std::int64_t column = edges.columns[edge];
    if (edge + 1 < edges.offsets[row + 1]) prefetch_row(values + edges.columns[edge + 1] * width, width);
    Real factor = row_factor;
    if (edges.weights != nullptr) factor *= static_cast<Real>(edges.weights[edge]);
    if (edges.column_factors != nullptr) factor *= static_cast<Real>(edges.column_factors[column]);
    sums.add(factor, values + column * width);
  }
}

template <typename Real>
[[gnu::always_inline]] inline void add_row(const EdgeRows& edges, std::int64_t row, const Real* values,
                                           std::int64_t width, Real* sums) {
  switch (width) {
    case 2 * kLaneCount:
      return add_edges(edges, row, values, 2 * kLaneCount, NarrowSums<2, Real>(sums));
    case 4 * kLaneCount:
      return add_edges(edges, row, values, 4 * kLaneCount, NarrowSums<4, Real>(sums));
    default:
      return add_edges(edges, row, values, width, WideSums<Real>{sums, width});
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
