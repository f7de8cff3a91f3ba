#include "moment_optimizer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstring>

namespace gir {
namespace {

// The defaults of Adam (Kingma and Ba, 2015) and LAMB (You et al., 2020).
constexpr float kBeta1 = 0.9f;
constexpr float kBeta2 = 0.999f;

}  // namespace

MomentOptimizer::MomentOptimizer(std::vector<NamedTensor> trained, const OptimizerOptions& options, float epsilon,
                                 Change change)
    : Optimizer(std::move(trained)), weight_decay_(options.weight_decay), epsilon_(epsilon), change_(change) {
  for (const NamedTensor& each : parameters()) {
    const auto zeros = [&] { return at::zeros(each.tensor.sizes(), each.tensor.options().requires_grad(false)); };
    means_.push_back({"mean/" + each.name, zeros()});
    squares_.push_back({"square/" + each.name, zeros()});
  }
}

/// The bias corrections account for running means that were initialised to zero.
StepNumbers MomentOptimizer::step_numbers(double learning_rate, std::int64_t step) const {
  const auto t = static_cast<double>(step);
  const StepFactors factors{.mean_decay = kBeta1,
                            .square_decay = kBeta2,
                            .weight_decay = weight_decay_,
                            .epsilon = epsilon_,
                            .learning_rate = learning_rate,
                            .mean_correction = 1 / (1 - std::pow(static_cast<double>(kBeta1), t)),
                            .root_correction = 1 / std::sqrt(1 - std::pow(static_cast<double>(kBeta2), t))};
  StepNumbers numbers(kNumStepFactors);
  std::memcpy(numbers.data(), &factors, sizeof(factors));
  return numbers;
}

void MomentOptimizer::apply(const at::Tensor& numbers) {
  std::vector<StepTensors> tensors;
  for (std::size_t k = 0; k < parameters().size(); ++k) {
    const at::Tensor& parameter = parameters()[k].tensor;
    if (!parameter.grad().defined()) continue;
    tensors.push_back({parameter, parameter.grad().contiguous(), means_[k].tensor, squares_[k].tensor});
  }
  change_(tensors, numbers);
}

std::vector<NamedTensor> MomentOptimizer::memory() const {
  std::vector<NamedTensor> tensors;
  for (std::size_t k = 0; k < means_.size(); ++k) {
    tensors.push_back(means_[k]);
    tensors.push_back(squares_[k]);
  }
  return tensors;
}

}  // namespace gir
