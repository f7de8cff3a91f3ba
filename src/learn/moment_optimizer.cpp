#include "moment_optimizer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace gir {
namespace {

constexpr float kBeta1 = 0.9f;
constexpr float kBeta2 = 0.999f;

}  // namespace

MomentOptimizer::MomentOptimizer(std::vector<NamedTensor> trained, const OptimizerOptions& options, float epsilon,
                                 Change change)
    : Optimizer(std::move(trained)),
      weight_decay_(options.weight_decay),
      epsilon_(epsilon),
      change_(change),
      steps_(at::zeros({1}, at::kLong)) {
  for (const NamedTensor& each : parameters()) {
    const auto zeros = [&] { return at::zeros(each.tensor.sizes(), each.tensor.options().requires_grad(false)); };
    means_.push_back({"mean/" + each.name, zeros()});
    squares_.push_back({"square/" + each.name, zeros()});
  }
}

/// The corrections take away that running means began as zeros.
StepFactors MomentOptimizer::next_step(double learning_rate) {
  const auto t = static_cast<double>(++*steps_.data_ptr<std::int64_t>());
  return {.mean_decay = kBeta1,
          .square_decay = kBeta2,
          .weight_decay = static_cast<float>(weight_decay_),
          .epsilon = epsilon_,
          .learning_rate = learning_rate,
          .mean_correction = 1 / (1 - std::pow(static_cast<double>(kBeta1), t)),
          .root_correction = 1 / std::sqrt(1 - std::pow(static_cast<double>(kBeta2), t))};
}

void MomentOptimizer::apply(const StepFactors& factors) {
  std::vector<StepTensors> tensors;
  for (std::size_t k = 0; k < parameters().size(); ++k) {
    const at::Tensor& parameter = parameters()[k].tensor;
    if (!parameter.grad().defined()) continue;
    tensors.push_back({parameter, parameter.grad().contiguous(), means_[k].tensor, squares_[k].tensor});
  }
  change_(tensors, factors);
}

std::vector<NamedTensor> MomentOptimizer::state() const {
  std::vector<NamedTensor> tensors = {{"steps", steps_}};
  for (std::size_t k = 0; k < means_.size(); ++k) {
    tensors.push_back(means_[k]);
    tensors.push_back(squares_[k]);
  }
  return tensors;
}

}  // namespace gir
