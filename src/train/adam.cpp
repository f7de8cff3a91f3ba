#include "gir/nn/adam.h"

#include <ATen/core/Tensor.h>

#include <vector>

#include "gir/train/optimizer.h"
#include "moments.h"

namespace gir {
namespace {

constexpr float kEpsilon = 1e-8f;

/// Adam (Kingma and Ba, 2015) with L2 regularisation: the decay is part of the gradient.
class Adam : public Optimizer {
 public:
  Adam(std::vector<NamedTensor> trained, const OptimizerOptions& options)
      : Optimizer(std::move(trained)), weight_decay_(options.weight_decay), moments_(parameters()) {}

  void step(double learning_rate) override {
    const Moments::Corrections corrections = moments_.next_step();
    const AdamFactors factors{.mean_decay = Moments::kBeta1,
                              .square_decay = Moments::kBeta2,
                              .weight_decay = static_cast<float>(weight_decay_),
                              .step_size = static_cast<float>(learning_rate * corrections.mean),
                              .root_correction = static_cast<float>(corrections.root_square),
                              .epsilon = kEpsilon};
    std::vector<AdamTensors> tensors;
    for (std::size_t k = 0; k < parameters().size(); ++k) {
      const at::Tensor& parameter = parameters()[k].tensor;
      if (!parameter.grad().defined()) continue;
      tensors.push_back({parameter, parameter.grad().contiguous(), moments_.mean(k), moments_.square(k)});
    }
    adam_step(tensors, factors);
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
