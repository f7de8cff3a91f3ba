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

/// One step of Adam (Kingma and Ba, 2015) for all of them, in place; weight decay is part of the gradient. `factors`
/// are StepFactors as a tensor, double [kNumStepFactors]. All are on one device. The same bits on any number of
/// threads.
void adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors);

/// One step of LAMB (You et al., 2020) in the same way: Adam's direction with decay, scaled to the parameter's norm.
void lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors);

}  // namespace gir
