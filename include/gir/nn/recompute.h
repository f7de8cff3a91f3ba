#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace gir {

/// A part of a model: takes x and gives a result. `again`: it has been asked before, and side effects are done.
using Stretch = std::function<at::Tensor(const at::Tensor& x, bool again)>;

/// stretch(x), of which nothing is kept but x and the result: the way back asks for it a second time. It must give the
/// same bits then. x may be undefined; `parameter` is any of those that the stretch has, which get their gradients.
at::Tensor compute_twice(const at::Tensor& x, const at::Tensor& parameter, Stretch stretch);

}  // namespace gir
