#include "gir/learn/optimizer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

namespace gir {

void Optimizer::clear_gradients() {
  for (const NamedTensor& each : parameters_) {
    at::Tensor parameter = each.tensor;
    parameter.mutable_grad() = at::Tensor();
  }
}

double Optimizer::gradient_norm() const {
  double squares = 0;
  for (const NamedTensor& each : parameters_) {
    if (!each.tensor.grad().defined()) continue;
    if (!each.tensor.is_cpu()) {
      squares += each.tensor.grad().to(at::kDouble).square().sum().item<double>();
      continue;
    }
    const at::Tensor gradient = each.tensor.grad().contiguous();
    const auto* values = gradient.data_ptr<float>();
    for (std::int64_t i = 0; i < gradient.numel(); ++i) squares += static_cast<double>(values[i]) * values[i];
  }
  return std::sqrt(squares);
}

void Optimizer::clip_gradients(double most) {
  const double norm = gradient_norm();
  if (!(norm > most)) return;
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& each : parameters_) {
    if (each.tensor.grad().defined()) each.tensor.grad().mul_(most / norm);
  }
}

}  // namespace gir
