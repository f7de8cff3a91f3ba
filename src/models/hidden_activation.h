#pragma once

#include <cstdint>

#include "gir/models/model.h"

namespace gir {

/// Normalisation, ReLU and dropout after a hidden layer.
class HiddenActivation {
 public:
  /// Creates the parameters of the normalisation, if it has any.
  HiddenActivation(Parameters& parameters, std::int64_t layer, std::int64_t width, const ModelOptions& options);

  at::Tensor apply(const at::Tensor& h, std::uint64_t seed, const ForwardOptions& options) const;

 private:
  std::int64_t layer_;
  Norm norm_;
  double dropout_;
  bool recalibrates_;
  at::Tensor gamma_, beta_, running_mean_, running_variance_;
};

}  // namespace gir
