#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "gir/nn/step_factors.h"

namespace gir {

/// A parameter with its gradient and the running averages of the gradient and of its square (first and second moment):
/// float, contiguous, of one shape.
struct StepTensors {
  at::Tensor parameter;
  at::Tensor gradient;
  at::Tensor mean;
  at::Tensor square;
};

/// One Adam step (Kingma and Ba, 2015) for all tensors, in place; weight decay is added to the gradient (L2
/// regularisation). `factors` are StepFactors as a tensor, double [kNumStepFactors]. All tensors are on one device.
/// Bit-identical on any number of threads.
void adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors);

/// One LAMB step (You et al., 2020) in the same way: Adam's update plus decoupled weight decay, scaled per tensor by
/// the trust ratio |parameter| / |update|.
void lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors);

}  // namespace gir
