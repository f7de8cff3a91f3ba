#pragma once

#include <span>
#include <vector>

#include "gir/learn/optimizer.h"
#include "gir/nn/optimizer_step.h"

namespace gir {

/// Adam and its relatives: steps by the running means of gradients and of their squares.
class MomentOptimizer : public Optimizer {
 public:
  /// How a step changes all parameters that have a gradient.
  using Change = void (*)(std::span<const StepTensors> tensors, const StepFactors& factors);

  MomentOptimizer(std::vector<NamedTensor> trained, const OptimizerOptions& options, float epsilon, Change change);

  StepFactors next_step(double learning_rate) override;
  void apply(const StepFactors& factors) override;
  std::vector<NamedTensor> state() const override;

 private:
  double weight_decay_;
  float epsilon_;
  Change change_;
  at::Tensor steps_;  ///< int64 [1]: how many were made
  std::vector<NamedTensor> means_;
  std::vector<NamedTensor> squares_;
};

}  // namespace gir
