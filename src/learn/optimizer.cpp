#include "gir/learn/optimizer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "gir/core/error.h"

namespace gir {
namespace {

/// The numbers on the device of the parameters. The copy to a GPU is queued on its stream; the CPU does not wait.
at::Tensor on_device(StepNumbers numbers, const at::Device& device) {
  const at::Tensor here = at::from_blob(numbers.data(), {std::ssize(numbers)}, at::kDouble);
  return device.is_cpu() ? here.clone() : here.to(device, /*non_blocking=*/true);
}

}  // namespace

Optimizer::Optimizer(std::vector<NamedTensor> parameters)
    : parameters_(std::move(parameters)), steps_(at::zeros({1}, at::kLong)) {}

void Optimizer::step(double learning_rate) {
  const StepNumbers numbers = next_step(learning_rate);
  if (parameters_.empty()) return;
  apply(on_device(numbers, parameters_.front().tensor.device()));
}

StepNumbers Optimizer::next_step(double learning_rate) {
  return step_numbers(learning_rate, ++*steps_.data_ptr<std::int64_t>());
}

std::vector<NamedTensor> Optimizer::state() const {
  std::vector<NamedTensor> all = {{"steps", steps_}};
  for (NamedTensor& each : memory()) all.push_back(std::move(each));
  return all;
}

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

void Optimizer::clip_gradients(double max_norm) {
  const double norm = gradient_norm();
  if (!(norm > max_norm)) return;
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& each : parameters_) {
    if (each.tensor.grad().defined()) each.tensor.grad().mul_(max_norm / norm);
  }
}

}  // namespace gir
