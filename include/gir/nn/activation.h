#pragma once

#include <ATen/core/Tensor.h>

#include "gir/core/export.h"
#include "gir/core/random.h"

namespace gir {

/// What relu_dropout() is to do.
struct GIR_API ReluDropout {
  double rate = 0;
  RandomStream stream;
};

/// Dropout of max(x, 0): an element is kept with probability 1 - rate and divided by it, else zero. Element i is
/// dropped where word i % 4 of index i / 4 of the stream is below rate * 2^32; rate 0 draws nothing.
///
/// x: any shape, float or double, contiguous; 0 <= rate < 1. Returns x's shape with its gradient. Nothing is kept for
/// the backward pass but the result. The same bits on any number of threads.
GIR_API at::Tensor relu_dropout(const at::Tensor& x, const ReluDropout& options);

}  // namespace gir
