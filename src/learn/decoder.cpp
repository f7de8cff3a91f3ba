#include "gir/learn/decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include "gir/core/error.h"

namespace gir {

PairDecoder::PairDecoder(const DecoderOptions& options) : parameters_(options.seed) {
  if (options.features == 0) return;
  feature_mean_ = parameters_.buffer("decoder.features.mean", options.features, 0);
  feature_scale_ = parameters_.buffer("decoder.features.scale", options.features, 1);
}

void PairDecoder::learn_feature_scale(const at::Tensor& sample) {
  ensure(feature_mean_.defined() && sample.size(1) == feature_mean_.size(0),
         "as many features as the decoder was constructed with");
  const at::NoGradGuard no_gradients;
  const at::Tensor exact = sample.to(at::kDouble);
  const at::Tensor mean = exact.mean(0);
  const at::Tensor variance = (exact - mean).square().mean(0);
  feature_mean_.copy_(mean);
  // Features that are constant over the sample carry no information: a scale of 0 removes them.
  feature_scale_.copy_(at::where(variance > 1e-12, variance.rsqrt(), at::zeros_like(variance)));
}

at::Tensor PairDecoder::features_of(const PairBatch& pairs) const {
  if (!feature_mean_.defined()) return {};
  ensure(pairs.features().defined(), "pairs with features");
  return (pairs.features().to(feature_mean_.device()) - feature_mean_) * feature_scale_;
}

}  // namespace gir
