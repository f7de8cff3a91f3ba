#pragma once

#include <ATen/core/Tensor.h>

#include "gir/core/export.h"

namespace gir {

/// x w + bias: x [rows, in], w [in, out], bias [out] or undefined; float or double, contiguous. Differentiable in all
/// three. Bit-identical on any number of threads.
GIR_API at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias);

}  // namespace gir
