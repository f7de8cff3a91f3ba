#pragma once

#include <cstdint>

#include "gir/nn/optimizer_step.h"

namespace gir::cpu {

/// The arrays of one parameter: see StepTensors.
struct StepArrays {
  const float* gradient;
  float* mean;
  float* square;
  float* value;
};

/// One step for `size` values.
void adam_step(std::int64_t size, const StepFactors& factors, const StepArrays& arrays);

/// The same for LAMB; `update` is a workspace of `size` values.
void lamb_step(std::int64_t size, const StepFactors& factors, const StepArrays& arrays, float* update);

}  // namespace gir::cpu
