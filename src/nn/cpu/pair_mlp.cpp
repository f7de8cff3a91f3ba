#include "pair_mlp.h"

#include <algorithm>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/vectorise.h"
#include "lane_sums.h"
#include "pair_product.h"
#include "partial_sums.h"
#include "row_blocks.h"

namespace gir::cpu {
namespace {

/// Products and hidden sums of one block of pairs.
template <typename Real>
struct PairBlock {
  PairBlock(std::int64_t width, std::int64_t hidden)
      : products(static_cast<std::size_t>(kRowsPerBlock * width)),
        sums(static_cast<std::size_t>(kRowsPerBlock * hidden)) {}

  std::vector<Real> products;  ///< z_u ⊙ z_v
  std::vector<Real> sums;      ///< before the ReLU
};

/// scores = relu(sums) · out + bias
template <typename Real>
[[gnu::always_inline]] inline void score_rows(const Real* sums, std::int64_t count, std::int64_t hidden,
                                              const Real* __restrict out, Real bias, Real* scores) {
  for (std::int64_t p = 0; p < count; ++p) {
    const Real* __restrict row = sums + p * hidden;
    scores[p] = bias + lane_sum<Real>(hidden, [&](std::int64_t k) { return std::max(row[k], Real{0}) * out[k]; });
  }
}

/// Turns sums into their gradients, and adds up those of out and both biases.
template <typename Real>
[[gnu::always_inline]] inline void pass_back_rows(Real* sums, std::int64_t count, std::int64_t hidden,
                                                  const Real* __restrict out, const Real* d_scores,
                                                  Real* __restrict d_out, Real* d_out_bias,
                                                  Real* __restrict d_hidden_bias) {
  for (std::int64_t p = 0; p < count; ++p) {
    Real* __restrict row = sums + p * hidden;
    const Real gradient = d_scores[p];
    *d_out_bias += gradient;
    for (std::int64_t k = 0; k < hidden; ++k) {
      d_out[k] += gradient * std::max(row[k], Real{0});
      const Real passed = row[k] > 0 ? gradient * out[k] : Real{0};
      d_hidden_bias[k] += passed;
      row[k] = passed;
    }
  }
}

GIR_VECTORISED void score_block(const float* sums, std::int64_t count, std::int64_t hidden, const float* out,
                                float bias, float* scores) {
  score_rows(sums, count, hidden, out, bias, scores);
}
void score_block(const double* sums, std::int64_t count, std::int64_t hidden, const double* out, double bias,
                 double* scores) {
  score_rows(sums, count, hidden, out, bias, scores);
}
GIR_VECTORISED void pass_back_block(float* sums, std::int64_t count, std::int64_t hidden, const float* out,
                                    const float* d_scores, float* d_out, float* d_out_bias, float* d_hidden_bias) {
  pass_back_rows(sums, count, hidden, out, d_scores, d_out, d_out_bias, d_hidden_bias);
}
void pass_back_block(double* sums, std::int64_t count, std::int64_t hidden, const double* out, const double* d_scores,
                     double* d_out, double* d_out_bias, double* d_hidden_bias) {
  pass_back_rows(sums, count, hidden, out, d_scores, d_out, d_out_bias, d_hidden_bias);
}

/// Fills `block` for the pairs [begin, end).
template <typename Real>
void compute(const PairBatch& batch, const MatrixView<const Real>& z, const PerceptronWeights<const Real>& weights,
             std::int64_t begin, std::int64_t end, PairBlock<Real>& block) {
  const std::int64_t hidden = weights.hidden.columns;
  multiply_pairs(batch.pairs().data() + begin, end - begin, z.data, z.columns, block.products.data());
  for (std::int64_t p = 0; p < end - begin; ++p) {
    std::copy_n(weights.hidden_bias, hidden, block.sums.data() + p * hidden);
  }
  multiply(Product::kAB, MatrixView<const Real>{block.products.data(), end - begin, z.columns}, weights.hidden,
           MatrixView<Real>{block.sums.data(), end - begin, hidden}, true);
}

}  // namespace

template <typename Real>
void pair_mlp_forward(const PairBatch& batch, const MatrixView<const Real>& z,
                      const PerceptronWeights<const Real>& weights, Real* scores) {
  const std::int64_t hidden = weights.hidden.columns;
  for_each_chunk(batch.num_pairs(), [&](std::int64_t, std::int64_t first, std::int64_t last) {
    PairBlock<Real> block(z.columns, hidden);
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      compute(batch, z, weights, begin, end, block);
      score_block(block.sums.data(), end - begin, hidden, weights.out, *weights.out_bias, scores + begin);
    });
  });
}

template <typename Real>
void pair_mlp_backward(const PairBatch& batch, const MatrixView<const Real>& z,
                       const PerceptronWeights<const Real>& weights, const Real* d_scores, const MatrixView<Real>& d_z,
                       const PerceptronWeights<Real>& d_weights) {
  const std::int64_t width = z.columns;
  const std::int64_t hidden = weights.hidden.columns;
  PartialSums<Real> d_hidden(kMostChunks, width * hidden);
  PartialSums<Real> d_small(kMostChunks, 2 * hidden + 1);  // of hidden_bias, out and out_bias
  Array<Real> d_products(batch.num_pairs() * width);
  const auto chunks = for_each_chunk(batch.num_pairs(), [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
    d_hidden.begin(chunk);
    d_small.begin(chunk);
    Real* small = d_small.part(chunk);
    PairBlock<Real> block(width, hidden);
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      compute(batch, z, weights, begin, end, block);
      pass_back_block(block.sums.data(), end - begin, hidden, weights.out, d_scores + begin, small + hidden,
                      small + 2 * hidden, small);
      const MatrixView<const Real> d_sums{block.sums.data(), end - begin, hidden};
      multiply(Product::kAtB, MatrixView<const Real>{block.products.data(), end - begin, width}, d_sums,
               MatrixView<Real>{d_hidden.part(chunk), width, hidden}, true);
      multiply(Product::kABt, d_sums, weights.hidden,
               MatrixView<Real>{d_products.data() + begin * width, end - begin, width}, false);
    });
  });
  d_hidden.total(chunks, d_weights.hidden.data);
  std::vector<Real> small(static_cast<std::size_t>(2 * hidden + 1));
  d_small.total(chunks, small.data());
  std::copy_n(small.data(), hidden, d_weights.hidden_bias);
  std::copy_n(small.data() + hidden, hidden, d_weights.out);
  *d_weights.out_bias = small.back();
  pair_product_backward(batch, z, MatrixView<const Real>{d_products.data(), batch.num_pairs(), width}, d_z);
}

#define GIR_INSTANTIATE(Real)                                                                                 \
  template void pair_mlp_forward(const PairBatch&, const MatrixView<const Real>&,                             \
                                 const PerceptronWeights<const Real>&, Real*);                                \
  template void pair_mlp_backward(const PairBatch&, const MatrixView<const Real>&,                            \
                                  const PerceptronWeights<const Real>&, const Real*, const MatrixView<Real>&, \
                                  const PerceptronWeights<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
