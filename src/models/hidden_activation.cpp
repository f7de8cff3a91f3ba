#include "hidden_activation.h"

#include <fmt/format.h>

#include "gir/core/random.h"
#include "gir/nn/activation.h"
#include "gir/nn/norm.h"

namespace gir {
namespace {

/// Weight of the batch statistics of an epoch in the running statistics, as torch's default.
constexpr double kMomentum = 0.1;

}  // namespace

HiddenActivation::HiddenActivation(Parameters& parameters, std::int64_t layer, std::int64_t width,
                                   const ModelOptions& options)
    : layer_(layer), norm_(options.norm), dropout_(options.dropout), recalibrates_(options.settle_norms) {
  if (norm_ == Norm::kNone) return;
  const std::string name = fmt::format("layer{}", layer);
  gamma_ = parameters.constant(name + ".gamma", width, 1);
  beta_ = parameters.constant(name + ".beta", width, 0);
  if (norm_ != Norm::kBatch) return;
  running_mean_ = parameters.buffer(name + ".running-mean", width, 0);
  running_variance_ = parameters.buffer(name + ".running-variance", width, 1);
}

at::Tensor HiddenActivation::apply(const at::Tensor& h, std::uint64_t seed, const ForwardOptions& options) const {
  const ReluDropout activation{.rate = options.training ? dropout_ : 0,
                               .stream = RandomStream(seed, fmt::format("dropout/{}", layer_), options.epoch)};
  if (norm_ == Norm::kBatch) {
    if (recalibrates_ && options.recalibrate_norms && !options.training)
      recalibrate_batch_norm(h, running_mean_, running_variance_);
    // Momentum 0 in a recomputation: the running statistics were already updated in the forward pass.
    return batch_norm(
        h, gamma_, beta_, running_mean_, running_variance_,
        {.training = options.training, .momentum = options.recomputing ? 0 : kMomentum, .activation = activation});
  }
  return relu_dropout(norm_ == Norm::kLayer ? layer_norm(h, gamma_, beta_) : h, activation);
}

}  // namespace gir
