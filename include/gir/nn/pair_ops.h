#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "gir/core/array.h"
#include "gir/core/error.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/data/pairs.h"

namespace gir {

/// A batch that was sampled on a device. PairBatch explains the members.
struct GIR_API PairTensors {
  at::Tensor pairs;    ///< int32 [pairs, 2]
  at::Tensor offsets;  ///< int64 [nodes + 1]
  at::Tensor pair_of;  ///< int32 [2 pairs]
  at::Tensor partner;  ///< int32 [2 pairs]
};

/// Pairs of nodes (for scores), and for every node the pairs that contain it (for gradients).
class GIR_API PairBatch {
 public:
  /// `features` are additional features of the pairs: float [pairs, any], or undefined. O(nodes + pairs).
  PairBatch(std::span<const NodePair> pairs, std::int64_t nodes, at::Tensor features = {});

  /// Pairs that exist only on a device: the arrays below must not be read.
  explicit PairBatch(PairTensors on_device) : on_device_(std::move(on_device)) {}

  std::int64_t num_pairs() const { return on_device_ ? on_device_->pairs.size(0) : pairs_.size(); }
  std::int64_t num_nodes() const { return (on_device_ ? on_device_->offsets.size(0) : offsets_.size()) - 1; }
  const std::optional<PairTensors>& on_device() const { return on_device_; }
  const Array<NodePair>& pairs() const { return here(pairs_); }
  const at::Tensor& features() const { return features_; }

  // The pairs of node v: pair_of[offsets[v] .. offsets[v+1]), ascending, and the other node of each.
  const Array<std::int64_t>& offsets() const { return here(offsets_); }
  const Array<std::int32_t>& pair_of() const { return here(pair_of_); }
  const Array<NodeId>& partner() const { return here(partner_); }

 private:
  template <typename T>
  const Array<T>& here(const Array<T>& array) const {
    ensure(!on_device_, "pairs in host memory");
    return array;
  }

  std::optional<PairTensors> on_device_;
  Array<NodePair> pairs_;
  at::Tensor features_;
  Array<std::int64_t> offsets_;
  Array<std::int32_t> pair_of_;
  Array<NodeId> partner_;
};

/// z_u ⊙ z_v (element-wise product) of every pair (u, v): z [nodes, width] gives [pairs, width]. The batch must outlive
/// the backward pass. Bit-identical on any number of threads.
GIR_API at::Tensor pair_product(const at::Tensor& z, const PairBatch& batch);

/// z_u · z_v (dot product) of every pair, [pairs]: the row sums of pair_product() without storing it. Bit-identical on
/// any number of threads.
GIR_API at::Tensor pair_dot(const at::Tensor& z, const PairBatch& batch);

/// MLP on z_u ⊙ z_v of every pair: Linear(width -> hidden), ReLU, Linear(hidden -> 1), fused; returns the scores
/// [pairs]. hidden_weight [width, hidden], hidden_bias [hidden], weight [hidden, 1], bias [1]. Differentiable in z and
/// all weights; if gradients are enabled, the pre-activations [pairs, hidden] are saved for the backward pass. The
/// batch must outlive the backward pass. Bit-identical on any number of threads.
GIR_API at::Tensor pair_mlp(const at::Tensor& z, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                            const at::Tensor& weight, const at::Tensor& bias, const PairBatch& batch);

}  // namespace gir
