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

/// A batch that a device made for itself. See PairBatch for what these are.
struct GIR_API PairTensors {
  at::Tensor pairs;    ///< int32 [pairs, 2]
  at::Tensor offsets;  ///< int64 [nodes + 1]
  at::Tensor pair_of;  ///< int32 [2 pairs]
  at::Tensor partner;  ///< int32 [2 pairs]
};

/// Pairs of nodes, and for every node the pairs that it is in: what scores need, and their gradients.
class GIR_API PairBatch {
 public:
  /// `features` are what is known about the pairs beside their nodes: float [pairs, any], or undefined. O(nodes +
  /// pairs).
  PairBatch(std::span<const NodePair> pairs, std::int64_t nodes, at::Tensor features = {});

  /// Pairs that are on a device, and nowhere else: of the arrays below there are none.
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
    ensure(!on_device_, "pairs that the processor has");
    return array;
  }

  std::optional<PairTensors> on_device_;
  Array<NodePair> pairs_;
  at::Tensor features_;
  Array<std::int64_t> offsets_;
  Array<std::int32_t> pair_of_;
  Array<NodeId> partner_;
};

/// z_u ⊙ z_v of every pair: z [nodes, width] gives [pairs, width]. The batch must outlive the backward pass. The same
/// bits on any number of threads.
GIR_API at::Tensor pair_product(const at::Tensor& z, const PairBatch& batch);

/// z_u · z_v of every pair, [pairs]: the sums of pair_product() without making it. The same bits on any number of
/// threads.
GIR_API at::Tensor pair_dot(const at::Tensor& z, const PairBatch& batch);

/// Linear(width -> hidden), ReLU, Linear(hidden -> 1) on z_u ⊙ z_v of every pair, in one pass that makes the scores
/// [pairs] and, where a gradient will be asked for, keeps what the ReLU gets [pairs, hidden]: hidden_weight [width,
/// hidden], hidden_bias [hidden], weight [hidden, 1], bias [1]. Gradients for z and all weights. The batch must outlive
/// the backward pass. The same bits on any number of threads.
GIR_API at::Tensor pair_mlp(const at::Tensor& z, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                            const at::Tensor& weight, const at::Tensor& bias, const PairBatch& batch);

}  // namespace gir
