#include "pair_dot.h"

#include <algorithm>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "lanes.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kPairsPerBlock = 1 << 11;
constexpr std::int64_t kNodesPerBlock = 1 << 8;

template <typename Real>
[[gnu::always_inline]] inline Real dot(const Real* first, const Real* second, std::int64_t width) {
  Lanes<Real> sums{};
  std::int64_t j = 0;
  for (; j + kLaneCount <= width; j += kLaneCount) sums += lanes(first + j) * lanes(second + j);
  Real rest = 0;
  for (; j < width; ++j) rest += first[j] * second[j];
  return total<Real>(sums) + rest;
}

template <typename Real>
[[gnu::always_inline]] inline void score(const NodePair* pairs, std::int64_t count, const Real* z, std::int64_t width,
                                         Real* scores) {
  for (std::int64_t p = 0; p < count; ++p) {
    scores[p] = dot(z + pairs[p].first * width, z + pairs[p].second * width, width);
  }
}

/// Columns [column, column + 8 kVectors) of the gradient of node v, accumulated in registers.
template <int kVectors, typename Real>
[[gnu::always_inline]] inline void pass_back_strip(const PairBatch& batch, std::int64_t v, const Real* z,
                                                   std::int64_t width, std::int64_t column, const Real* d_scores,
                                                   Real* d_row) {
  const std::int32_t* pair_of = batch.pair_of().data();
  const NodeId* partner = batch.partner().data();
  Channels<kVectors, Real> sums;
  for (std::int64_t i = batch.offsets()[v]; i < batch.offsets()[v + 1]; ++i) {
    const Real factor = d_scores[pair_of[i]];
    const Real* row = z + partner[i] * width + column;
    for (int k = 0; k < kVectors; ++k) sums.part[k] += factor * lanes(row + k * kLaneCount);
  }
  for (int k = 0; k < kVectors; ++k) lanes(d_row + column + k * kLaneCount) = sums.part[k];
}

template <typename Real>
[[gnu::always_inline]] inline void pass_back(const PairBatch& batch, std::int64_t begin, std::int64_t end,
                                             const Real* z, std::int64_t width, const Real* d_scores, Real* d_z) {
  for (std::int64_t v = begin; v < end; ++v) {
    Real* d_row = d_z + v * width;
    std::int64_t column = 0;
    for (; column + 4 * kLaneCount <= width; column += 4 * kLaneCount) {
      pass_back_strip<4>(batch, v, z, width, column, d_scores, d_row);
    }
    for (; column + kLaneCount <= width; column += kLaneCount) {
      pass_back_strip<1>(batch, v, z, width, column, d_scores, d_row);
    }
    for (; column < width; ++column) {
      Real sum = 0;
      for (std::int64_t i = batch.offsets()[v]; i < batch.offsets()[v + 1]; ++i) {
        sum += d_scores[batch.pair_of()[i]] * z[batch.partner()[i] * width + column];
      }
      d_row[column] = sum;
    }
  }
}

#define GIR_RANGES(Real)                                                                                           \
  GIR_VECTORISED void score_block(const NodePair* pairs, std::int64_t count, const Real* z, std::int64_t width,    \
                                  Real* scores) {                                                                  \
    score(pairs, count, z, width, scores);                                                                         \
  }                                                                                                                \
  GIR_VECTORISED void pass_back_block(const PairBatch& batch, std::int64_t begin, std::int64_t end, const Real* z, \
                                      std::int64_t width, const Real* d_scores, Real* d_z) {                       \
    pass_back(batch, begin, end, z, width, d_scores, d_z);                                                         \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

}  // namespace

template <typename Real>
void pair_dot_forward(const PairBatch& batch, const MatrixView<const Real>& z, Real* scores) {
  parallel_for(batch.num_pairs(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    score_block(batch.pairs().data() + begin, end - begin, z.data, z.columns, scores + begin);
  });
}

template <typename Real>
void pair_dot_backward(const PairBatch& batch, const MatrixView<const Real>& z, const Real* d_scores,
                       const MatrixView<Real>& d_z) {
  parallel_for(batch.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    pass_back_block(batch, begin, end, z.data, z.columns, d_scores, d_z.data);
  });
}

#define GIR_INSTANTIATE(Real)                                                                   \
  template void pair_dot_forward(const PairBatch&, const MatrixView<const Real>&, Real*);       \
  template void pair_dot_backward(const PairBatch&, const MatrixView<const Real>&, const Real*, \
                                  const MatrixView<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
