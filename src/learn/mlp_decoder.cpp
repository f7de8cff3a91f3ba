#include <ATen/TensorOperators.h>

#include "gir/core/random.h"
#include "gir/learn/decoder.h"
#include "gir/nn/activation.h"
#include "gir/nn/linear.h"

namespace gir {
namespace {

constexpr std::int64_t kHidden = 32;  ///< with it the paper's results are reproduced: docs/reproduction.md

/// Linear(width -> 32), ReLU, Linear(32 -> 1) on the element-wise product z_u ⊙ z_v, concatenated with the pair
/// features if there are any.
class MlpDecoder : public PairDecoder {
 public:
  explicit MlpDecoder(const DecoderOptions& options)
      : PairDecoder(options), dropout_(options.dropout), seed_(options.seed) {
    Parameters& all = own_parameters();
    const std::int64_t inputs = options.width + options.features;
    hidden_weight_ = all.weight("decoder.hidden.weight", options.width, kHidden, inputs);
    if (options.features > 0) {
      feature_weight_ = all.weight("decoder.features.weight", options.features, kHidden, inputs);
    }
    hidden_bias_ = all.bias("decoder.hidden.bias", kHidden, inputs);
    weight_ = all.weight("decoder.weight", kHidden, 1);
    bias_ = all.bias("decoder.bias", 1, kHidden);
  }

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions& options) const override {
    const double dropout = options.training ? dropout_ : 0;
    if (dropout == 0 && !feature_weight_.defined()) {
      return pair_mlp(z, hidden_weight_, hidden_bias_, weight_, bias_, pairs);
    }
    at::Tensor sums = linear(pair_product(z, pairs), hidden_weight_, hidden_bias_);
    if (feature_weight_.defined()) sums = sums + linear(features_of(pairs), feature_weight_, at::Tensor());
    const at::Tensor hidden = relu_dropout(sums, {dropout, RandomStream(seed_, "dropout/decoder", options.epoch)});
    return linear(hidden, weight_, bias_).flatten();
  }

  /// The fused operation stores the hidden pre-activations and their gradients. The separate operations also store the
  /// products and everything after the pre-activations.
  std::int64_t bytes_per_pair() const override {
    constexpr std::int64_t kReal = sizeof(float);
    if (dropout_ == 0 && !feature_weight_.defined()) return 2 * kHidden * kReal;
    const std::int64_t features = feature_weight_.defined() ? feature_weight_.size(0) : 0;
    return (2 * hidden_weight_.size(0) + 5 * kHidden + features) * kReal;
  }

 private:
  double dropout_;
  std::uint64_t seed_;
  at::Tensor hidden_weight_, feature_weight_, hidden_bias_, weight_, bias_;
};

const Registered<DecoderEntry> mlp{{
    .name = "mlp",
    .summary = "small MLP on the element-wise product of the two embeddings",
    .uses_dropout = true,
    .make = [](const DecoderOptions& options) -> std::unique_ptr<PairDecoder> {
      return std::make_unique<MlpDecoder>(options);
    },
}};

}  // namespace
}  // namespace gir
