#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "gir/nn/adam_factors.h"

namespace gir {

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
