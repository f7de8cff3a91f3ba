#pragma once

#include <ATen/core/Tensor.h>

#include "gir/core/export.h"
#include "gir/core/random.h"

namespace gir {

/// Dropout rate of relu_dropout(), and the random numbers that decide which elements are dropped.
struct GIR_API ReluDropout {
  double rate = 0;
  RandomStream stream;
};

/// Dropout of max(x, 0): an element is kept with probability 1 - rate and divided by it, else it becomes zero. Element
/// i is dropped where word i % 4 of index i / 4 of the stream is below rate * 2^32; rate 0 draws no random numbers.
///
/// x: any shape, float or double, contiguous; 0 <= rate < 1. Returns a tensor of x's shape, differentiable in x. Only
/// the result is saved for the backward pass. Bit-identical on any number of threads.
GIR_API at::Tensor relu_dropout(const at::Tensor& x, const ReluDropout& options);

}  // namespace gir
