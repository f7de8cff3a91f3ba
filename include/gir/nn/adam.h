#pragma once

#include <ATen/core/Tensor.h>

#include <span>

namespace gir {

/// What is the same for all values of a step.
struct AdamFactors {
  float mean_decay;       ///< beta1
  float square_decay;     ///< beta2
  float weight_decay;     ///< L2: part of the gradient
  float step_size;        ///< learning rate / (1 - beta1^t)
  float root_correction;  ///< 1 / sqrt(1 - beta2^t)
  float epsilon;
};

/// A parameter with its gradient and the running means of that and of its square: float, contiguous, of one shape.
struct AdamTensors {
  at::Tensor parameter;
  at::Tensor gradient;
  at::Tensor mean;
  at::Tensor square;
};

/// One step of Adam (Kingma and Ba, 2015) for all of them, in place. All are on one device. The same bits on any number
/// of threads.
void adam_step(std::span<const AdamTensors> tensors, const AdamFactors& factors);

}  // namespace gir
