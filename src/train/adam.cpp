#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "gir/train/optimizer.h"

namespace gir {
namespace {

constexpr float kBeta1 = 0.9f;
constexpr float kBeta2 = 0.999f;
constexpr float kEpsilon = 1e-8f;

/// What one step is the same for all values.
struct StepFactors {
  float weight_decay;
  float step_size;        ///< learning rate / (1 - beta1^t)
  float root_correction;  ///< 1 / sqrt(1 - beta2^t)
};

GIR_VECTORISED void step_values(std::int64_t begin, std::int64_t end, const StepFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                float* __restrict value) {
  for (std::int64_t i = begin; i < end; ++i) {
    const float g = gradient[i] + factors.weight_decay * value[i];
    mean[i] = kBeta1 * mean[i] + (1 - kBeta1) * g;
    square[i] = kBeta2 * square[i] + (1 - kBeta2) * g * g;
    value[i] -= factors.step_size * mean[i] / (std::sqrt(square[i]) * factors.root_correction + kEpsilon);
  }
}

/// Adam (Kingma and Ba, 2015) with L2 regularisation: the decay is part of the gradient.
class Adam : public Optimizer {
 public:
  Adam(std::vector<NamedTensor> trained, const OptimizerOptions& options)
      : Optimizer(std::move(trained)), weight_decay_(options.weight_decay), steps_(at::zeros({1}, at::kLong)) {
    for (const NamedTensor& each : parameters()) {
      means_.push_back(at::zeros(each.tensor.sizes(), at::kFloat));
      squares_.push_back(at::zeros(each.tensor.sizes(), at::kFloat));
    }
  }

  void step(double learning_rate) override {
    const auto t = static_cast<double>(++*steps_.data_ptr<std::int64_t>());
    const StepFactors factors{
        .weight_decay = static_cast<float>(weight_decay_),
        .step_size = static_cast<float>(learning_rate / (1 - std::pow(static_cast<double>(kBeta1), t))),
        .root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(static_cast<double>(kBeta2), t)))};
    for (std::size_t k = 0; k < means_.size(); ++k) {
      const at::Tensor& parameter = parameters()[k].tensor;
      if (!parameter.grad().defined()) continue;
      const at::Tensor gradient = parameter.grad().contiguous();
      parallel_for(parameter.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        step_values(begin, end, factors, gradient.data_ptr<float>(), means_[k].data_ptr<float>(),
                    squares_[k].data_ptr<float>(), parameter.data_ptr<float>());
      });
    }
  }

  std::vector<NamedTensor> state() const override {
    std::vector<NamedTensor> tensors = {{"steps", steps_}};
    for (std::size_t k = 0; k < means_.size(); ++k) {
      tensors.push_back({"mean/" + parameters()[k].name, means_[k]});
      tensors.push_back({"square/" + parameters()[k].name, squares_[k]});
    }
    return tensors;
  }

 private:
  double weight_decay_;
  at::Tensor steps_;
  std::vector<at::Tensor> means_;
  std::vector<at::Tensor> squares_;
};

const Registered<OptimizerEntry> adam{{
    .name = "adam",
    .summary = "Adam with L2 weight decay",
    .make = [](std::vector<NamedTensor> trained, const OptimizerOptions& options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<Adam>(std::move(trained), options);
    },
}};

}  // namespace
}  // namespace gir
