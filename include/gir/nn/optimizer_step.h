#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "gir/nn/step_factors.h"

namespace gir {

/// A parameter with its gradient and the running means of that and of its square: float, contiguous, of one shape.
struct StepTensors {
  at::Tensor parameter;
  at::Tensor gradient;
  at::Tensor mean;
  at::Tensor square;
};

/// One step of Adam (Kingma and Ba, 2015) for all of them, in place; weight decay is part of the gradient. All are on
/// one device. The same bits on any number of threads.
void adam_step(std::span<const StepTensors> tensors, const StepFactors& factors);

/// One step of LAMB (You et al., 2020) in the same way: Adam's direction with decay, as long as the parameter itself.
void lamb_step(std::span<const StepTensors> tensors, const StepFactors& factors);

}  // namespace gir
