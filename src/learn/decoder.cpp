#include "gir/learn/decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include "gir/core/error.h"

namespace gir {
namespace {

constexpr double kSmallestUnit = 1e-6;  ///< replaces the median of features that are mostly 0, which divides

/// Standardised features are clipped here: a hub that training did not see must not decide a score alone.
constexpr double kMaxDeviations = 5;

}  // namespace

PairDecoder::PairDecoder(const DecoderOptions& options) : parameters_(options.seed) {
  if (options.features == 0) return;
  feature_unit_ = parameters_.buffer("decoder.features.unit", options.features, 1);
  feature_mean_ = parameters_.buffer("decoder.features.mean", options.features, 0);
  feature_scale_ = parameters_.buffer("decoder.features.scale", options.features, 1);
}

void PairDecoder::fit_to(const at::Tensor& features, const at::Tensor&) { fit_scale(features); }

void PairDecoder::fit_scale(const at::Tensor& features) {
  ensure(feature_mean_.defined() && features.size(1) == feature_mean_.size(0),
         "as many features as the decoder was constructed with");
  const at::NoGradGuard no_gradients;
  feature_unit_.copy_(std::get<0>(features.abs().median(0)).clamp_min(kSmallestUnit));
  const at::Tensor exact = logarithms(features).to(at::kDouble);
  const at::Tensor mean = exact.mean(0);
  const at::Tensor variance = (exact - mean).square().mean(0);
  feature_mean_.copy_(mean);
  // Features that are constant over the sample carry no information: a scale of 0 removes them.
  feature_scale_.copy_(at::where(variance > 1e-12, variance.rsqrt(), at::zeros_like(variance)));
}

/// sign(x) log(1 + |x| / unit), where the unit is the median magnitude of the feature.
at::Tensor PairDecoder::logarithms(const at::Tensor& features) const {
  return features.sign() * (features.abs() / feature_unit_).log1p();
}

at::Tensor PairDecoder::features_of(const PairBatch& pairs) const {
  if (!feature_mean_.defined()) return {};
  ensure(pairs.features().defined(), "pairs with features");
  const at::Tensor values = logarithms(pairs.features().to(feature_mean_.device()));
  return ((values - feature_mean_) * feature_scale_).clamp(-kMaxDeviations, kMaxDeviations);
}

}  // namespace gir
