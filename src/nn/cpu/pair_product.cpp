#include "pair_product.h"

#include <algorithm>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kPairsPerBlock = 1 << 10;
constexpr std::int64_t kNodesPerBlock = 1 << 8;

template <typename Real>
[[gnu::always_inline]] inline void multiply(const NodePair* pairs, std::int64_t count, const Real* z,
                                            std::int64_t width, Real* products) {
  for (std::int64_t p = 0; p < count; ++p) {
    const Real* __restrict first = z + pairs[p].first * width;
    const Real* __restrict second = z + pairs[p].second * width;
    Real* __restrict product = products + p * width;
    for (std::int64_t j = 0; j < width; ++j) product[j] = first[j] * second[j];
  }
}

/// Gathers gradients by node instead of adding those of every pair to its two nodes: no two threads write the same row,
/// and the pairs of a node are summed in a fixed order.
template <typename Real>
[[gnu::always_inline]] inline void gather_pairs(const PairBatch& batch, std::int64_t begin, std::int64_t end,
                                                const Real* z, std::int64_t width, const Real* d_out, Real* d_z) {
  for (std::int64_t v = begin; v < end; ++v) {
    Real* __restrict sum = d_z + v * width;
    std::fill(sum, sum + width, Real{0});
    for (std::int64_t i = batch.offsets()[v]; i < batch.offsets()[v + 1]; ++i) {
      const Real* __restrict other = z + batch.partner()[i] * width;
      const Real* __restrict gradient = d_out + batch.pair_of()[i] * width;
      for (std::int64_t j = 0; j < width; ++j) sum[j] += gradient[j] * other[j];
    }
  }
}

GIR_VECTORISED void backward_block(const PairBatch& batch, std::int64_t begin, std::int64_t end, const float* z,
                                   std::int64_t width, const float* d_out, float* d_z) {
  gather_pairs(batch, begin, end, z, width, d_out, d_z);
}
void backward_block(const PairBatch& batch, std::int64_t begin, std::int64_t end, const double* z, std::int64_t width,
                    const double* d_out, double* d_z) {
  gather_pairs(batch, begin, end, z, width, d_out, d_z);
}

template <typename Real>
void forward(const PairBatch& batch, const MatrixView<const Real>& z, const MatrixView<Real>& out) {
  parallel_for(batch.num_pairs(), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    multiply_pairs(batch.pairs().data() + begin, end - begin, z.data, z.columns, out.row_range(begin, end).data);
  });
}

template <typename Real>
void backward(const PairBatch& batch, const MatrixView<const Real>& z, const MatrixView<const Real>& d_out,
              const MatrixView<Real>& d_z) {
  parallel_for(batch.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    backward_block(batch, begin, end, z.data, z.columns, d_out.data, d_z.data);
  });
}

}  // namespace

GIR_VECTORISED void multiply_pairs(const NodePair* pairs, std::int64_t count, const float* z, std::int64_t width,
                                   float* products) {
  multiply(pairs, count, z, width, products);
}
void multiply_pairs(const NodePair* pairs, std::int64_t count, const double* z, std::int64_t width, double* products) {
  multiply(pairs, count, z, width, products);
}

void pair_product_forward(const PairBatch& batch, const MatrixView<const float>& z, const MatrixView<float>& out) {
  forward(batch, z, out);
}
void pair_product_forward(const PairBatch& batch, const MatrixView<const double>& z, const MatrixView<double>& out) {
  forward(batch, z, out);
}
void pair_product_backward(const PairBatch& batch, const MatrixView<const float>& z,
                           const MatrixView<const float>& d_out, const MatrixView<float>& d_z) {
  backward(batch, z, d_out, d_z);
}
void pair_product_backward(const PairBatch& batch, const MatrixView<const double>& z,
                           const MatrixView<const double>& d_out, const MatrixView<double>& d_z) {
  backward(batch, z, d_out, d_z);
}

}  // namespace gir::cpu
