#include <ATen/core/Tensor.h>

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "gir/train/optimizer.h"
#include "moments.h"

namespace gir {
namespace {

constexpr float kBeta1 = Moments::kBeta1;
constexpr float kBeta2 = Moments::kBeta2;
constexpr float kEpsilon = 1e-8f;

/// What is the same for all values of a step.
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
      : Optimizer(std::move(trained)), weight_decay_(options.weight_decay), moments_(parameters()) {}

  void step(double learning_rate) override {
    const Moments::Corrections corrections = moments_.next_step();
    const StepFactors factors{.weight_decay = static_cast<float>(weight_decay_),
                              .step_size = static_cast<float>(learning_rate * corrections.mean),
                              .root_correction = static_cast<float>(corrections.root_square)};
    for (std::size_t k = 0; k < parameters().size(); ++k) {
      const at::Tensor& parameter = parameters()[k].tensor;
      if (!parameter.grad().defined()) continue;
      const at::Tensor gradient = parameter.grad().contiguous();
      parallel_for(parameter.numel(), 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        step_values(begin, end, factors, gradient.data_ptr<float>(), moments_.means(k), moments_.squares(k),
                    parameter.data_ptr<float>());
      });
    }
  }

  std::vector<NamedTensor> state() const override { return moments_.state(); }

 private:
  double weight_decay_;
  Moments moments_;
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
