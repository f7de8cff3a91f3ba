#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <gir/learn/optimizer.h>

namespace {

/// Gradient descent with plain torch operations. Numbers that change from step to step come as a tensor, so that a GPU
/// can record a step once and repeat it.
class Descent : public gir::Optimizer {
 public:
  explicit Descent(std::vector<gir::NamedTensor> parameters) : Optimizer(std::move(parameters)) {}

  gir::StepNumbers step_numbers(double learning_rate, std::int64_t) const override { return {learning_rate}; }

  void apply(const at::Tensor& numbers) override {
    const at::NoGradGuard no_gradients;
    for (const gir::NamedTensor& each : parameters()) {
      if (each.tensor.grad().defined()) each.tensor.sub_(each.tensor.grad() * numbers[0]);
    }
  }
};

const gir::Registered<gir::OptimizerEntry> descent{{
    .name = "outside-descent",
    .summary = "plain gradient descent",
    .make = [](std::vector<gir::NamedTensor> parameters, const gir::OptimizerOptions&)
        -> std::unique_ptr<gir::Optimizer> { return std::make_unique<Descent>(std::move(parameters)); },
}};

}  // namespace
