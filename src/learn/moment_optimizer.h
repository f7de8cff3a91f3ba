#pragma once

#include <span>
#include <vector>

#include "gir/learn/optimizer.h"
#include "gir/nn/optimizer_step.h"

namespace gir {

/// Adam and LAMB: optimisers with running means of the gradients and of their squares.
class MomentOptimizer : public Optimizer {
 public:
  /// Updates all parameters that have a gradient.
  using Change = void (*)(std::span<const StepTensors> tensors, const at::Tensor& factors);

  MomentOptimizer(std::vector<NamedTensor> trained, const OptimizerOptions& options, float epsilon, Change change);

  StepNumbers step_numbers(double learning_rate, std::int64_t step) const override;
  void apply(const at::Tensor& numbers) override;

 private:
  std::vector<NamedTensor> memory() const override;

  double weight_decay_;
  float epsilon_;
  Change change_;
  std::vector<NamedTensor> means_;
  std::vector<NamedTensor> squares_;
};

}  // namespace gir
