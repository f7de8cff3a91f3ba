#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "gir/train/metrics.h"
#include "gir/train/objective.h"

namespace gir {
namespace {

/// Positives and then negatives, to be scored in one go.
std::vector<NodePair> joined(std::span<const NodePair> positives, std::span<const NodePair> negatives) {
  std::vector<NodePair> pairs(positives.begin(), positives.end());
  pairs.insert(pairs.end(), negatives.begin(), negatives.end());
  return pairs;
}

class PairObjective : public Objective {
 public:
  PairObjective(const PairSplit& split, const PairDecoder& decoder, std::int64_t nodes, std::uint64_t seed)
      : split_(split),
        decoder_(decoder),
        nodes_(nodes),
        seed_(seed),
        valid_(joined(split.valid().positives, split.valid().negatives), nodes),
        test_(joined(split.test().positives, split.test().negatives), nodes) {
    const auto count = std::ssize(split.train_positives());
    targets_ = at::cat({at::ones({count}), at::zeros({count})});
    static_cast<void>(split.train_negatives(1, seed));  // complains now, and not in the middle, when there are too few
  }

  std::string metric() const override { return "roc_auc"; }

  at::Tensor loss(const ModelOutput& output, const ForwardOptions& options) override {
    // Kept until the next call: the backward pass looks into it.
    training_.emplace(joined(split_.train_positives(), split_.train_negatives(options.epoch, seed_)), nodes_);
    return at::binary_cross_entropy_with_logits(decoder_.score(output.outputs, *training_, options), targets_);
  }

  Figures judge(const ModelOutput& output, Part part) const override {
    const PairBatch& batch = part == Part::kValid ? valid_ : test_;
    const at::Tensor scores = decoder_.score(output.outputs, batch, {}).detach().contiguous();
    const std::span<const float> all(scores.data_ptr<float>(), static_cast<std::size_t>(scores.numel()));
    if (!std::all_of(all.begin(), all.end(), [](float score) { return std::isfinite(score); })) {
      return {{{metric(), std::nan("")}}};
    }
    const auto positives = all.first(all.size() / 2);
    const auto negatives = all.subspan(all.size() / 2);
    Figures figures{
        {{"roc_auc", roc_auc(positives, negatives)}, {"average_precision", average_precision(positives, negatives)}}};
    for (const std::int64_t k : {10, 50, 100}) {
      figures.values.emplace_back(fmt::format("hits@{}", k), hits_at(k, positives, negatives));
    }
    figures.values.emplace_back("mrr", mean_reciprocal_rank(positives, negatives));
    return figures;
  }

  std::vector<NamedTensor> parameters() const override { return decoder_.parameters().trained(); }

 private:
  const PairSplit& split_;
  const PairDecoder& decoder_;
  std::int64_t nodes_;
  std::uint64_t seed_;
  at::Tensor targets_;
  std::optional<PairBatch> training_;
  PairBatch valid_;
  PairBatch test_;
};

}  // namespace

std::unique_ptr<Objective> pair_objective(const PairSplit& split, const PairDecoder& decoder, std::int64_t nodes,
                                          std::uint64_t seed) {
  return std::make_unique<PairObjective>(split, decoder, nodes, seed);
}

}  // namespace gir
