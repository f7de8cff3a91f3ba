#include <ATen/TensorOperators.h>

#include "gir/train/decoder.h"

namespace gir {
namespace {

/// z_u · z_v.
class DotDecoder : public PairDecoder {
 public:
  explicit DotDecoder(const DecoderOptions& options) : PairDecoder(options.seed) {}

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions&) const override {
    return pair_product(z, pairs).sum(1);
  }
};

/// The same with a scale and a bias that are learnt.
class ScaledDotDecoder : public PairDecoder {
 public:
  explicit ScaledDotDecoder(const DecoderOptions& options) : PairDecoder(options.seed) {
    scale_ = own_parameters().constant("decoder.scale", 1, 1);
    bias_ = own_parameters().constant("decoder.bias", 1, 0);
  }

  at::Tensor score(const at::Tensor& z, const PairBatch& pairs, const ForwardOptions&) const override {
    return pair_product(z, pairs).sum(1) * scale_ + bias_;
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
    .summary = "the dot product of the two vectors",
    .make = make<DotDecoder>,
}};

const Registered<DecoderEntry> scaled_dot{{
    .name = "scaled-dot",
    .summary = "the dot product with a learnt scale and bias",
    .make = make<ScaledDotDecoder>,
}};

}  // namespace
}  // namespace gir
