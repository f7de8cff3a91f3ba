#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <deque>

#include "gir/core/random.h"
#include "gir/learn/decoder.h"
#include "gir/nn/activation.h"
#include "gir/nn/buffer_values.h"
#include "gir/nn/linear.h"
#include "gir/trees/boosted_trees.h"

namespace gir {
namespace {

// docs/gir-x.md describes the decoder; docs/links.md compares it with the decoder mlp and with trees alone.
constexpr std::int64_t kHidden = 64;  ///< units of both hidden layers of the MLP
constexpr std::int64_t kTrees = 400;
constexpr double kColumnShare = 0.3;  ///< of the features, drawn for each tree
constexpr double kRowShare = 0.7;     ///< of the training pairs, drawn for each tree
constexpr std::int64_t kLeaves = 10;
constexpr std::int64_t kNodesPerTree = 2 * kLeaves - 1;
constexpr std::size_t kRemembered = 64;  ///< batches whose tree scores are kept: those of validation pairs

/// Buffers that keep boosted trees, as real numbers: those of TreeArrays.
struct TreeBuffers {
  at::Tensor base, features, thresholds, left, right, values;

  TreeBuffers(Parameters& all, std::int64_t nodes)
      : base(all.buffer("decoder.trees.base", 1, 0)),
        features(all.buffer("decoder.trees.features", nodes, -1)),
        thresholds(all.buffer("decoder.trees.thresholds", nodes, 0)),
        left(all.buffer("decoder.trees.left", nodes, 0)),
        right(all.buffer("decoder.trees.right", nodes, 0)),
        values(all.buffer("decoder.trees.values", nodes, 0)) {}
};

FeatureRows rows_of(const at::Tensor& features) {
  return {.values = {features.data_ptr<float>(), static_cast<std::size_t>(features.numel())},
          .columns = features.size(1)};
}

/// An MLP of two hidden layers on the element-wise product z_u ⊙ z_v and the pair features, and boosted trees on the
/// pair features alone. The trees are grown before the first epoch; the MLP is trained with the model, without regard
/// to the trees. A score is the log-odds of the mean of both probabilities.
class BoostedDecoder : public PairDecoder {
 public:
  explicit BoostedDecoder(const DecoderOptions& options)
      : PairDecoder(options), dropout_(options.dropout), seed_(options.seed), columns_(options.features) {
    Parameters& all = own_parameters();
    const std::int64_t inputs = options.width + options.features;
    product_weight_ = all.weight("decoder.product.weight", options.width, kHidden, inputs);
    if (columns_ > 0) feature_weight_ = all.weight("decoder.features.weight", columns_, kHidden, inputs);
    first_bias_ = all.bias("decoder.first.bias", kHidden, inputs);
    second_weight_ = all.weight("decoder.second.weight", kHidden, kHidden);
    second_bias_ = all.bias("decoder.second.bias", kHidden, kHidden);
    weight_ = all.weight("decoder.weight", kHidden, 1);
    bias_ = all.bias("decoder.bias", 1, kHidden);
    if (columns_ > 0) trees_.emplace(all, kTrees * kNodesPerTree);
  }

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions& options) const override {
    const double dropout = options.training ? dropout_ : 0;
    at::Tensor sums = linear(pair_product(z, pairs), product_weight_, first_bias_);
    if (feature_weight_.defined()) sums = sums + linear(features_of(pairs), feature_weight_, at::Tensor());
    const at::Tensor first = relu_dropout(sums, {dropout, RandomStream(seed_, "dropout/decoder", options.epoch)});
    const at::Tensor second = relu_dropout(linear(first, second_weight_, second_bias_),
                                           {dropout, RandomStream(seed_, "dropout/decoder/second", options.epoch)});
    const at::Tensor scores = linear(second, weight_, bias_).flatten();
    if (options.training || !trees_) return scores;
    return mean_log_odds({scores, tree_scores(pairs.features()).to(scores.device())});
  }

  std::int64_t bytes_per_pair() const override {
    constexpr std::int64_t kReal = sizeof(float);
    return (2 * product_weight_.size(0) + 8 * kHidden + 3 * columns_) * kReal;
  }

 private:
  void fit_to(const at::Tensor& features, const at::Tensor& targets) override {
    fit_scale(features);
    const at::Tensor here = features.contiguous();
    const at::Tensor truth = targets.contiguous();
    // Both classes weigh the same, as in the epochs, however many negatives there are.
    const double ratio = truth.sum().item<double>() / (static_cast<double>(truth.numel()) - truth.sum().item<double>());
    const at::Tensor weights = truth + (1 - truth) * ratio;
    const auto trees = BoostedTrees::train(
        rows_of(here), rows_of(truth.unsqueeze(1)).values,
        {.trees = kTrees, .leaves = kLeaves, .column_share = kColumnShare, .row_share = kRowShare, .seed = seed_},
        rows_of(weights.unsqueeze(1)).values);
    const TreeArrays& arrays = trees.arrays();
    trees_->base.fill_(arrays.base_score);
    write_values(trees_->features, arrays.features);
    write_values(trees_->thresholds, arrays.thresholds);
    write_values(trees_->left, arrays.left);
    write_values(trees_->right, arrays.right);
    write_values(trees_->values, arrays.values);
    remembered_.clear();
  }

  BoostedTrees trees() const {
    return BoostedTrees({.base_score = trees_->base.item<float>(),
                         .columns = columns_,
                         .trees = kTrees,
                         .nodes_per_tree = kNodesPerTree,
                         .features = read_numbers(trees_->features),
                         .thresholds = read_values(trees_->thresholds),
                         .left = read_numbers(trees_->left),
                         .right = read_numbers(trees_->right),
                         .values = read_values(trees_->values)});
  }

  /// [pairs]. Every evaluation requests the same batches, so their scores are kept.
  at::Tensor tree_scores(const at::Tensor& features) const {
    for (const Remembered& each : remembered_) {
      if (each.features.is_same(features)) return each.scores;
    }
    const at::Tensor here = features.contiguous();
    at::Tensor scores = at::empty({here.size(0)});
    trees().score(rows_of(here), {scores.data_ptr<float>(), static_cast<std::size_t>(scores.numel())});
    remembered_.push_back({features, scores});
    if (remembered_.size() > kRemembered) remembered_.pop_front();
    return scores;
  }

  struct Remembered {
    at::Tensor features, scores;
  };

  double dropout_;
  std::uint64_t seed_;
  std::int64_t columns_;  ///< number of pair features
  at::Tensor product_weight_, feature_weight_, first_bias_, second_weight_, second_bias_, weight_, bias_;
  std::optional<TreeBuffers> trees_;  ///< of a decoder with features
  mutable std::deque<Remembered> remembered_;
};

const Registered<DecoderEntry> boosted{{
    .name = "boosted",
    .summary = "MLP of two hidden layers on the element-wise product and the pair features, averaged with boosted "
               "trees on the pair features",
    .uses_dropout = true,
    .make = [](const DecoderOptions& options) -> std::unique_ptr<PairDecoder> {
      return std::make_unique<BoostedDecoder>(options);
    },
}};

}  // namespace
}  // namespace gir
