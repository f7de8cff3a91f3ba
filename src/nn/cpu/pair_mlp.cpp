#include "pair_mlp.h"

#include <algorithm>
#include <vector>

#include "aggregate.h"
#include "gir/core/vectorise.h"
#include "lane_sums.h"
#include "pair_product.h"
#include "partial_sums.h"
#include "row_blocks.h"
#include "tiles.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kPairsPerBlock = 32;       ///< of one node: their data stays in the L1 cache
constexpr std::int64_t kPairsPerChunk = 1 << 12;  ///< work per chunk in the backward pass

/// A range of pairs, and where their pre-activations ("sums") and scores are stored.
template <typename Real>
struct PairRows {
  const NodePair* pairs;
  std::int64_t count;
  Real* products;  ///< workspace: z_u ⊙ z_v of one tile
  Real* sums;      ///< of all these pairs if `keep_sums`, else a workspace for one tile
  bool keep_sums;
  Real* scores;
};

/// Pre-activations and scores of the kRows pairs from `first` on; products and scores stay in registers.
template <int kRows, typename Real>
[[gnu::always_inline]] inline void score_tile(const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                                              const PairRows<Real>& rows, std::int64_t first) {
  const std::int64_t hidden = weights.hidden.columns;
  const Lanes<Real> zero = {};
  multiply_pairs(rows.pairs + first, kRows, z.data, z.columns, rows.products);
  Real* sums = rows.keep_sums ? rows.sums + first * hidden : rows.sums;
  Lanes<Real> scores[kRows] = {};
  for (std::int64_t unit = 0; unit < hidden; unit += kTileColumns) {
    const Real* weight = weights.hidden.data + unit;
    const Real* bias = weights.hidden_bias + unit;
    const Real* out = weights.out + unit;
    Tile<kRows, Real> tile(lanes(bias), lanes(bias + kLaneCount));
    tile.add_products(
        0, z.columns, [&](std::int64_t j) { return rows.products + j; }, z.columns,
        [&](std::int64_t j) { return weight + j * hidden; });
    for (int r = 0; r < kRows; ++r) {
      lanes(sums + r * hidden + unit) = tile.low[r];
      lanes(sums + r * hidden + unit + kLaneCount) = tile.high[r];
      scores[r] += (tile.low[r] < zero ? zero : tile.low[r]) * lanes(out);
      scores[r] += (tile.high[r] < zero ? zero : tile.high[r]) * lanes(out + kLaneCount);
    }
  }
  for (int r = 0; r < kRows; ++r) rows.scores[first + r] = *weights.out_bias + total<Real>(scores[r]);
}

template <typename Real>
[[gnu::always_inline]] inline void score_rows(const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                                              const PairRows<Real>& rows) {
  for_each_tile(
      rows.count, [&](auto tile_rows, std::int64_t first) __attribute__((always_inline)) {
        score_tile<decltype(tile_rows)::value>(z, weights, rows, first);
      });
}

/// Gradients of the pre-activations; accumulates those of the output weights and both biases.
template <typename Real>
[[gnu::always_inline]] inline void pass_back_rows(const Real* sums, std::int64_t count, std::int64_t hidden,
                                                  const Real* out, const Real* d_scores, Real* d_sums, Real* d_out,
                                                  Real* d_out_bias, Real* d_hidden_bias) {
  const Lanes<Real> zero = {};
  for (std::int64_t unit = 0; unit < hidden; unit += kLaneCount) {
    const Lanes<Real> weight = lanes(out + unit);
    Lanes<Real> d_weight = lanes(d_out + unit);
    Lanes<Real> d_bias = lanes(d_hidden_bias + unit);
    for (std::int64_t p = 0; p < count; ++p) {
      const Lanes<Real> sum = lanes(sums + p * hidden + unit);
      const Lanes<Real> passed = sum > zero ? d_scores[p] * weight : zero;
      d_weight += d_scores[p] * (sum < zero ? zero : sum);
      d_bias += passed;
      lanes(d_sums + p * hidden + unit) = passed;
    }
    lanes(d_out + unit) = d_weight;
    lanes(d_hidden_bias + unit) = d_bias;
  }
  *d_out_bias += lane_sum<Real>(count, [&](std::int64_t p) { return d_scores[p]; });
}

/// Inputs and outputs of the gradients of z and of the hidden weights W. Pair (v, u) has the pre-activations
/// Σ_j z_v[j] z_u[j] W[j], so that with M_v[j] = Σ over the pairs of v of z_u[j] d_sums
///   d_z_v[j] = W[j] · M_v[j]   and   2 d_W[j] = Σ over v of z_v[j] M_v[j], as every pair occurs at both of its nodes.
/// M_v is accumulated in registers, so the products z_u ⊙ z_v and their gradients are never stored.
template <typename Real>
struct GatherTask {
  const PairBatch& batch;
  MatrixView<const Real> z;
  MatrixView<const Real> weights;
  const Real* d_sums;
  Real* d_z;
};

/// A range of the pairs of one node, as indices into PairBatch::pair_of().
struct PairsOfNode {
  std::int64_t node;
  std::int64_t begin;
  std::int64_t end;
};

/// The contribution of some pairs of node v to kRows channels of M_v, and through it to the gradients.
template <int kRows, typename Real>
[[gnu::always_inline]] inline void gather_tile(const GatherTask<Real>& given, const PairsOfNode& pairs,
                                               std::int64_t unit, std::int64_t channel, Real* d_weights) {
  const std::int64_t width = given.z.columns;
  const std::int64_t hidden = given.weights.columns;
  const NodeId* partner = given.batch.partner().data();
  const std::int32_t* pair_of = given.batch.pair_of().data();
  const Lanes<Real> zero = {};
  Tile<kRows, Real> tile(zero, zero);
  tile.add_products(
      pairs.begin, pairs.end, [&](std::int64_t i) { return given.z.data + partner[i] * width + channel; }, 1,
      [&](std::int64_t i) { return given.d_sums + pair_of[i] * hidden + unit; });
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t at = (channel + r) * hidden + unit;
    const Real* weight = given.weights.data + at;
    const Lanes<Real> products = tile.low[r] * lanes(weight) + tile.high[r] * lanes(weight + kLaneCount);
    given.d_z[pairs.node * width + channel + r] += total<Real>(products);
    const Real own = given.z.data[pairs.node * width + channel + r];
    lanes(d_weights + at) += own * tile.low[r];
    lanes(d_weights + at + kLaneCount) += own * tile.high[r];
  }
}

/// Prefetches the gradients of the next pairs, which are scattered in memory.
template <typename Real>
[[gnu::always_inline]] inline void prefetch_pairs(const GatherTask<Real>& given, std::int64_t begin, std::int64_t end) {
  const std::int64_t hidden = given.weights.columns;
  for (std::int64_t i = begin; i < end; ++i) prefetch_row(given.d_sums + given.batch.pair_of()[i] * hidden, hidden);
}

template <typename Real>
[[gnu::always_inline]] inline void gather_pairs(const GatherTask<Real>& given, const PairsOfNode& pairs,
                                                Real* d_weights) {
  for (std::int64_t unit = 0; unit < given.weights.columns; unit += kTileColumns) {
    for_each_tile(
        given.z.columns, [&](auto tile_rows, std::int64_t channel) __attribute__((always_inline)) {
          gather_tile<decltype(tile_rows)::value>(given, pairs, unit, channel, d_weights);
        });
  }
}

template <typename Real>
[[gnu::always_inline]] inline void gather_nodes(const GatherTask<Real>& given, std::int64_t begin, std::int64_t end,
                                                Real* d_weights) {
  std::fill(given.d_z + begin * given.z.columns, given.d_z + end * given.z.columns, Real{0});
  const std::int64_t all = given.batch.offsets()[end];
  std::int64_t prefetched = given.batch.offsets()[begin];
  for (std::int64_t v = begin; v < end; ++v) {
    const std::int64_t last = given.batch.offsets()[v + 1];
    for (std::int64_t first = given.batch.offsets()[v]; first < last; first += kPairsPerBlock) {
      const PairsOfNode pairs{.node = v, .begin = first, .end = std::min(first + kPairsPerBlock, last)};
      const std::int64_t prefetch_end = std::min(pairs.end + kPairsPerBlock, all);
      prefetch_pairs(given, prefetched, prefetch_end);
      prefetched = prefetch_end;
      gather_pairs(given, pairs, d_weights);
    }
  }
}

// The functions above, compiled for several instruction sets. double is used by tests only and is compiled once.
GIR_VECTORISED void score_block(const MatrixView<const float>& z, const MlpWeights<const float>& weights,
                                const PairRows<float>& rows) {
  score_rows(z, weights, rows);
}
void score_block(const MatrixView<const double>& z, const MlpWeights<const double>& weights,
                 const PairRows<double>& rows) {
  score_rows(z, weights, rows);
}
GIR_VECTORISED void pass_back_block(const float* sums, std::int64_t count, std::int64_t hidden, const float* out,
                                    const float* d_scores, float* d_sums, float* d_out, float* d_out_bias,
                                    float* d_hidden_bias) {
  pass_back_rows(sums, count, hidden, out, d_scores, d_sums, d_out, d_out_bias, d_hidden_bias);
}
void pass_back_block(const double* sums, std::int64_t count, std::int64_t hidden, const double* out,
                     const double* d_scores, double* d_sums, double* d_out, double* d_out_bias, double* d_hidden_bias) {
  pass_back_rows(sums, count, hidden, out, d_scores, d_sums, d_out, d_out_bias, d_hidden_bias);
}
GIR_VECTORISED void gather_block(const GatherTask<float>& given, std::int64_t begin, std::int64_t end,
                                 float* d_weights) {
  gather_nodes(given, begin, end, d_weights);
}
void gather_block(const GatherTask<double>& given, std::int64_t begin, std::int64_t end, double* d_weights) {
  gather_nodes(given, begin, end, d_weights);
}

/// Gradients of all pre-activations, of the output layer and of the hidden bias.
template <typename Real>
void pass_back(const Real* sums, std::int64_t pairs, const MlpWeights<const Real>& weights, const Real* d_scores,
               Real* d_sums, const MlpWeights<Real>& d_weights) {
  const std::int64_t hidden = weights.hidden.columns;
  PartialSums<Real> parts(kMaxChunks, 2 * hidden + 1);  // of hidden_bias, out and out_bias
  const auto chunks = for_each_chunk(pairs, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
    parts.begin(chunk);
    Real* part = parts.part(chunk);
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      pass_back_block(sums + begin * hidden, end - begin, hidden, weights.out, d_scores + begin,
                      d_sums + begin * hidden, part + hidden, part + 2 * hidden, part);
    });
  });
  std::vector<Real> all(static_cast<std::size_t>(2 * hidden + 1));
  parts.total(chunks, all.data());
  std::copy_n(all.data(), hidden, d_weights.hidden_bias);
  std::copy_n(all.data() + hidden, hidden, d_weights.out);
  *d_weights.out_bias = all.back();
}

template <typename Real>
void gather(const GatherTask<Real>& given, Real* d_weights) {
  const std::int64_t size = given.z.columns * given.weights.columns;
  PartialSums<Real> parts(kMaxChunks, size);
  const EdgeRows nodes{.rows = given.batch.num_nodes(), .offsets = given.batch.offsets().data()};
  const auto chunks = for_each_row_chunk(nodes, kMaxChunks, kPairsPerChunk,
                                         [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
                                           parts.begin(chunk);
                                           gather_block(given, begin, end, parts.part(chunk));
                                         });
  parts.total(chunks, d_weights);
  for (std::int64_t i = 0; i < size; ++i) d_weights[i] /= 2;  // every pair was counted at both of its nodes
}

}  // namespace

template <typename Real>
void pair_mlp_forward(const PairBatch& batch, const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                      Real* sums, Real* scores) {
  const std::int64_t hidden = weights.hidden.columns;
  parallel_for(batch.num_pairs(), 4 * kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> products(static_cast<std::size_t>(kTileRows * z.columns));
    std::vector<Real> workspace(static_cast<std::size_t>(kTileRows * hidden));
    score_block(z, weights,
                PairRows<Real>{.pairs = batch.pairs().data() + begin,
                               .count = end - begin,
                               .products = products.data(),
                               .sums = sums == nullptr ? workspace.data() : sums + begin * hidden,
                               .keep_sums = sums != nullptr,
                               .scores = scores + begin});
  });
}

template <typename Real>
void pair_mlp_backward(const PairBatch& batch, const MatrixView<const Real>& z, const MlpWeights<const Real>& weights,
                       const Real* sums, const Real* d_scores, Real* d_sums, const MatrixView<Real>& d_z,
                       const MlpWeights<Real>& d_weights) {
  pass_back(sums, batch.num_pairs(), weights, d_scores, d_sums, d_weights);
  gather(GatherTask<Real>{batch, z, weights.hidden, d_sums, d_z.data}, d_weights.hidden.data);
}

#define GIR_INSTANTIATE(Real)                                                                                     \
  template void pair_mlp_forward(const PairBatch&, const MatrixView<const Real>&, const MlpWeights<const Real>&,  \
                                 Real*, Real*);                                                                   \
  template void pair_mlp_backward(const PairBatch&, const MatrixView<const Real>&, const MlpWeights<const Real>&, \
                                  const Real*, const Real*, Real*, const MatrixView<Real>&, const MlpWeights<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
