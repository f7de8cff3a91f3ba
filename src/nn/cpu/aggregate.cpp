#include "aggregate.h"

#include "gir/core/vectorise.h"
#include "lanes.h"

namespace gir::cpu {
namespace {

/// Prefetch distance in edges: enough values are in flight to hide the memory latency. Narrow rows need more edges.
constexpr EdgeId kMinAhead = 4;
constexpr EdgeId kValuesAhead = 1024;

/// Accumulates any number of columns of a row in memory.
template <typename Real>
struct AnyColumns {
  Real* __restrict sums;
  std::int64_t columns;

  std::int64_t width() const { return columns; }
  [[gnu::always_inline]] void add(Real factor, const Real* __restrict values) {
    for (std::int64_t j = 0; j < columns; ++j) sums[j] += factor * values[j];
  }
};

/// Accumulates a few columns of a row in registers; the destructor stores them.
template <int kVectors, typename Real>
class FewColumns {
 public:
  [[gnu::always_inline]] explicit FewColumns(Real* to) : to_(to), sums_(to) {}
  FewColumns(const FewColumns&) = delete;
  FewColumns& operator=(const FewColumns&) = delete;
  [[gnu::always_inline]] ~FewColumns() {
    for (int k = 0; k < kVectors; ++k) lanes(to_ + k * kLaneCount) = sums_.part[k];
  }

  static constexpr std::int64_t width() { return kVectors * kLaneCount; }
  [[gnu::always_inline]] void add(Real factor, const Real* values) {
    for (int k = 0; k < kVectors; ++k) sums_.part[k] += factor * lanes(values + k * kLaneCount);
  }

 private:
  Real* to_;
  Channels<kVectors, Real> sums_;
};

/// sums += row_factor * Σ weight * column_factor * values[column], for a strip of the columns of `values`, whose rows
/// are `stride` apart.
template <typename Real, typename Sums>
[[gnu::always_inline]] inline void add_edges(const EdgeRows& edges, std::int64_t row, const Real* values,
                                             std::int64_t stride, Sums sums) {
  const Real row_factor = edges.row_factors == nullptr ? Real{1} : static_cast<Real>(edges.row_factors[row]);
  const EdgeId all = edges.offsets[edges.rows];
  const EdgeId ahead = std::max(kMinAhead, kValuesAhead / sums.width());
  for (EdgeId edge = edges.offsets[row]; edge < edges.offsets[row + 1]; ++edge) {
    const std::int64_t column = edges.columns[edge];
    if (edge + ahead < all) {
      const std::int64_t next_column = edges.columns[edge + ahead];
      prefetch_row(values + next_column * stride, sums.width());
      if (edges.column_factors != nullptr) __builtin_prefetch(edges.column_factors + next_column, 0, 2);
    }
    Real factor = row_factor;
    if (edges.weights != nullptr) factor *= static_cast<Real>(edges.weights[edge]);
    if (edges.column_factors != nullptr) factor *= static_cast<Real>(edges.column_factors[column]);
    sums.add(factor, values + column * stride);
  }
}

/// Wide rows are processed in strips whose sums stay in registers: reading the edges once per strip costs less than
/// loading and storing the sums at every edge.
template <typename Real>
[[gnu::always_inline]] inline void add_row(const EdgeRows& edges, std::int64_t row, const Real* values,
                                           std::int64_t width, Real* sums) {
  std::int64_t done = 0;
  for (; done + 8 * kLaneCount <= width; done += 8 * kLaneCount) {
    add_edges(edges, row, values + done, width, FewColumns<8, Real>(sums + done));
  }
  if (done + 4 * kLaneCount <= width) {
    add_edges(edges, row, values + done, width, FewColumns<4, Real>(sums + done));
    done += 4 * kLaneCount;
  }
  if (done + 2 * kLaneCount <= width) {
    add_edges(edges, row, values + done, width, FewColumns<2, Real>(sums + done));
    done += 2 * kLaneCount;
  }
  if (done < width) add_edges(edges, row, values + done, width, AnyColumns<Real>{sums + done, width - done});
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
