#include "pairs.h"
#include "threads.cuh"

namespace gir::cuda {

template <typename Real>
void pair_product(const PairRows& rows, const Real* z, std::int64_t width, Real* out, cudaStream_t stream) {
  for_each_warp(rows.pairs, stream, [=] __device__(std::int64_t p, int lane) {
    const Real* first = z + rows.nodes[p].first * width;
    const Real* second = z + rows.nodes[p].second * width;
    for (std::int64_t j = lane; j < width; j += kWarp) out[p * width + j] = first[j] * second[j];
  });
}

/// One warp per node gathers the gradients of the node's pairs, without atomic additions, whose order would change the
/// last bits from run to run.
template <typename Real>
void pair_product_back(const PairRows& rows, const Real* z, const Real* d_out, std::int64_t width, Real* d_z,
                       cudaStream_t stream) {
  for_each_warp(rows.num_nodes, stream, [=] __device__(std::int64_t node, int lane) {
    for (std::int64_t j = lane; j < width; j += kWarp) {
      Real sum = 0;
      for (std::int64_t k = rows.offsets[node]; k < rows.offsets[node + 1]; ++k) {
        sum += d_out[rows.pair_of[k] * width + j] * z[rows.partner[k] * width + j];
      }
      d_z[node * width + j] = sum;
    }
  });
}

template <typename Real>
void pair_dot(const PairRows& rows, const Real* z, std::int64_t width, Real* scores, cudaStream_t stream) {
  for_each_warp(rows.pairs, stream, [=] __device__(std::int64_t p, int lane) {
    const Real* first = z + rows.nodes[p].first * width;
    const Real* second = z + rows.nodes[p].second * width;
    Real sum = 0;
    for (std::int64_t j = lane; j < width; j += kWarp) sum += first[j] * second[j];
    sum = warp_sum(sum);
    if (lane == 0) scores[p] = sum;
  });
}

template <typename Real>
void pair_dot_back(const PairRows& rows, const Real* z, const Real* d_scores, std::int64_t width, Real* d_z,
                   cudaStream_t stream) {
  for_each_warp(rows.num_nodes, stream, [=] __device__(std::int64_t node, int lane) {
    for (std::int64_t j = lane; j < width; j += kWarp) {
      Real sum = 0;
      for (std::int64_t k = rows.offsets[node]; k < rows.offsets[node + 1]; ++k) {
        sum += d_scores[rows.pair_of[k]] * z[rows.partner[k] * width + j];
      }
      d_z[node * width + j] = sum;
    }
  });
}

template <typename Real>
void mlp_scores(const Real* sums, std::int64_t pairs, std::int64_t hidden, const Real* weight, const Real* bias,
                Real* scores, cudaStream_t stream) {
  for_each_warp(pairs, stream, [=] __device__(std::int64_t p, int lane) {
    Real sum = 0;
    for (std::int64_t j = lane; j < hidden; j += kWarp) {
      const Real value = sums[p * hidden + j];
      sum += weight[j] * (value <= 0 ? Real{0} : value);
    }
    sum = warp_sum(sum);
    if (lane == 0) scores[p] = sum + *bias;
  });
}

template <typename Real>
void mlp_back(const Real* sums, std::int64_t pairs, std::int64_t hidden, const Real* weight, const Real* d_scores,
              Real* d_sums, cudaStream_t stream) {
  for_each(pairs * hidden, stream, [=] __device__(std::int64_t i) {
    d_sums[i] = sums[i] > 0 ? d_scores[i / hidden] * weight[i % hidden] : Real{0};
  });
}

#define GIR_INSTANTIATE(Real)                                                                                       \
  template void pair_product(const PairRows&, const Real*, std::int64_t, Real*, cudaStream_t);                      \
  template void pair_product_back(const PairRows&, const Real*, const Real*, std::int64_t, Real*, cudaStream_t);    \
  template void pair_dot(const PairRows&, const Real*, std::int64_t, Real*, cudaStream_t);                          \
  template void pair_dot_back(const PairRows&, const Real*, const Real*, std::int64_t, Real*, cudaStream_t);        \
  template void mlp_scores(const Real*, std::int64_t, std::int64_t, const Real*, const Real*, Real*, cudaStream_t); \
  template void mlp_back(const Real*, std::int64_t, std::int64_t, const Real*, const Real*, Real*, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
