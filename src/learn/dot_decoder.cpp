#include <ATen/TensorOperators.h>

#include "gir/learn/decoder.h"
#include "gir/nn/linear.h"

namespace gir {
namespace {

/// z_u · z_v, plus a linear term of the pair features if there are any.
class DotDecoder : public PairDecoder {
 public:
  explicit DotDecoder(const DecoderOptions& options) : PairDecoder(options) {
    if (options.features > 0) features_ = own_parameters().weight("decoder.features", options.features, 1);
  }

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions&) const override {
    return with_features(pair_dot(z, pairs), pairs);
  }

  /// The standardised features.
  std::int64_t bytes_per_pair() const override {
    return features_.defined() ? features_.size(0) * static_cast<std::int64_t>(sizeof(float)) : 0;
  }

 protected:
  at::Tensor with_features(const at::Tensor& scores, const PairBatch& pairs) const {
    return features_.defined() ? scores + linear(features_of(pairs), features_, at::Tensor()).flatten() : scores;
  }

 private:
  at::Tensor features_;
};

/// The dot product with a learnt scale and bias.
class ScaledDotDecoder : public DotDecoder {
 public:
  explicit ScaledDotDecoder(const DecoderOptions& options) : DotDecoder(options) {
    scale_ = own_parameters().constant("decoder.scale", 1, 1);
    bias_ = own_parameters().constant("decoder.bias", 1, 0);
  }

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions&) const override {
    return with_features(pair_dot(z, pairs) * scale_ + bias_, pairs);
  }

 private:
  at::Tensor scale_, bias_;
};

template <typename Decoder>
std::unique_ptr<PairDecoder> make(const DecoderOptions& options) {
  return std::make_unique<Decoder>(options);
}

const Registered<DecoderEntry> dot{{
    .name = "dot",
    .summary = "dot product of the two embeddings",
    .make = make<DotDecoder>,
}};

const Registered<DecoderEntry> scaled_dot{{
    .name = "scaled-dot",
    .summary = "dot product of the two embeddings, with a learnt scale and bias",
    .make = make<ScaledDotDecoder>,
}};

}  // namespace
}  // namespace gir
