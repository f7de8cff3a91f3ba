#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "gir/core/export.h"
#include "gir/data/hidden_edges.h"
#include "gir/data/split.h"
#include "gir/nn/pair_ops.h"
#include "gir/pairs/pair_features.h"

namespace gir {

/// Training pairs with their features, which are computed once: for every view of the message graph its positives and a
/// few negative samples for each of them. Epochs draw from the pool, and what is fitted to features before the first
/// epoch is fitted to all of it. Its size is bounded, on large graphs it is a sample.
class GIR_API PairPool {
 public:
  /// `hidden` may be null: then all training positives are those of view 0. Only the features and pairs are kept.
  /// `before_view` is called before the features of every view; it may throw to stop.
  PairPool(const PairSplit& split, const HiddenEdges* hidden, const PairDescription& description, std::uint64_t seed,
           const std::function<void()>& before_view = {});

  /// Number of positives of a view.
  std::int64_t positives(std::int64_t view) const { return of(view).positives; }

  /// `count` positives of a view, all of them if there are fewer, followed by as many negatives; without replacement,
  /// different in every epoch.
  PairBatch draw(std::int64_t view, std::uint64_t epoch, std::int64_t count) const;

  /// Of all pairs: features, float [pairs, width], and targets, float [pairs]: 1 for positives, 0 for negatives.
  const at::Tensor& features() const { return features_; }
  const at::Tensor& targets() const { return targets_; }

 private:
  /// Positives, then negatives, from row `begin` on.
  struct View {
    std::int64_t begin = 0;
    std::int64_t positives = 0;
    std::int64_t negatives = 0;
  };

  const View& of(std::int64_t view) const { return views_[static_cast<std::size_t>(view - first_view_)]; }

  std::int64_t nodes_;
  std::int64_t first_view_;
  std::uint64_t seed_;
  std::vector<View> views_;
  std::vector<NodePair> pairs_;
  at::Tensor features_, targets_;
};

}  // namespace gir
