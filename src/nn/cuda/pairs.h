#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/core/types.h"
#include "gir/data/node_pair.h"

namespace gir::cuda {

/// A batch of pairs on the device; see PairBatch.
struct PairRows {
  std::int64_t pairs;
  const NodePair* nodes;  ///< [pairs]
  std::int64_t num_nodes;
  const std::int64_t* offsets;  ///< [num_nodes + 1]
  const std::int32_t* pair_of;
  const NodeId* partner;
};

/// out_p = z_u ⊙ z_v: [pairs, width].
template <typename Real>
void pair_product(const PairRows& rows, const Real* z, std::int64_t width, Real* out, cudaStream_t stream);

/// d_z_v = Σ over v's pairs of d_out_p ⊙ z_partner.
template <typename Real>
void pair_product_back(const PairRows& rows, const Real* z, const Real* d_out, std::int64_t width, Real* d_z,
                       cudaStream_t stream);

/// scores_p = z_u · z_v.
template <typename Real>
void pair_dot(const PairRows& rows, const Real* z, std::int64_t width, Real* scores, cudaStream_t stream);

/// d_z_v = Σ over v's pairs of d_scores_p z_partner.
template <typename Real>
void pair_dot_back(const PairRows& rows, const Real* z, const Real* d_scores, std::int64_t width, Real* d_z,
                   cudaStream_t stream);

/// Output layer of pair_mlp(), given the pre-activations: scores_p = weight · max(sums_p, 0) + bias.
template <typename Real>
void mlp_scores(const Real* sums, std::int64_t pairs, std::int64_t hidden, const Real* weight, const Real* bias,
                Real* scores, cudaStream_t stream);

/// Gradient of the pre-activations: d_sums_p = d_scores_p weight where sums_p > 0, else 0.
template <typename Real>
void mlp_back(const Real* sums, std::int64_t pairs, std::int64_t hidden, const Real* weight, const Real* d_scores,
              Real* d_sums, cudaStream_t stream);

}  // namespace gir::cuda
