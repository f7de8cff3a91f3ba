#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace gir {

/// A segment of layers: maps x to a result. `recomputing` is true in the backward pass; side effects such as updates of
/// running statistics must then be skipped.
using Segment = std::function<at::Tensor(const at::Tensor& x, bool recomputing)>;

/// Activation checkpointing: segment(x), of which only x is saved for the backward pass, which computes the segment a
/// second time. The second computation must be bit-identical. x may be undefined; `parameter` is any parameter of the
/// segment, and makes the result differentiable when x is undefined or needs no gradient.
at::Tensor checkpoint_segment(const at::Tensor& x, const at::Tensor& parameter, Segment segment);

}  // namespace gir
