#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "gir/train/optimizer.h"
#include "moments.h"

namespace gir {
namespace {

constexpr float kBeta1 = Moments::kBeta1;
constexpr float kBeta2 = Moments::kBeta2;
constexpr float kEpsilon = 1e-6f;
constexpr std::int64_t kGrain = 1 << 15;

/// What is the same for all values of a step.
struct StepFactors {
  float weight_decay;
  float mean_correction;  ///< 1 / (1 - beta1^t)
  float root_correction;  ///< 1 / sqrt(1 - beta2^t)
};

/// The tensors of one parameter.
struct Values {
  const float* gradient;
  float* mean;
  float* square;
  float* value;
  float* update;
};

GIR_VECTORISED void find_update(std::int64_t begin, std::int64_t end, const StepFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                const float* __restrict value, float* __restrict update) {
  for (std::int64_t i = begin; i < end; ++i) {
    mean[i] = kBeta1 * mean[i] + (1 - kBeta1) * gradient[i];
    square[i] = kBeta2 * square[i] + (1 - kBeta2) * gradient[i] * gradient[i];
    update[i] = mean[i] * factors.mean_correction / (std::sqrt(square[i]) * factors.root_correction + kEpsilon) +
                factors.weight_decay * value[i];
  }
}

GIR_VECTORISED void apply_update(std::int64_t begin, std::int64_t end, float size, const float* __restrict update,
                                 float* __restrict value) {
  for (std::int64_t i = begin; i < end; ++i) value[i] -= size * update[i];
}

double sum_of_squares(std::int64_t begin, std::int64_t end, const float* values) {
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}

/// LAMB (You et al., 2020): Adam's direction with decay, as long as the parameter itself.
class Lamb : public Optimizer {
 public:
  Lamb(std::vector<NamedTensor> trained, const OptimizerOptions& options)
      : Optimizer(std::move(trained)), weight_decay_(options.weight_decay), moments_(parameters()) {
    for (const NamedTensor& each : parameters()) {
      if (each.tensor.is_cpu()) updates_.push_back(at::empty(each.tensor.sizes(), at::kFloat));
    }
  }

  void step(double learning_rate) override {
    const Moments::Corrections corrections = moments_.next_step();
    const StepFactors factors{.weight_decay = static_cast<float>(weight_decay_),
                              .mean_correction = static_cast<float>(corrections.mean),
                              .root_correction = static_cast<float>(corrections.root_square)};
    for (std::size_t k = 0; k < parameters().size(); ++k) {
      const at::Tensor& parameter = parameters()[k].tensor;
      if (!parameter.grad().defined()) continue;
      const at::Tensor gradient = parameter.grad().contiguous();
      if (!parameter.is_cpu()) {
        step_elsewhere(parameter, gradient, learning_rate, factors, moments_.mean(k), moments_.square(k));
        continue;
      }
      step_tensor(parameter.numel(), learning_rate, factors,
                  {.gradient = gradient.data_ptr<float>(),
                   .mean = moments_.mean(k).data_ptr<float>(),
                   .square = moments_.square(k).data_ptr<float>(),
                   .value = parameter.data_ptr<float>(),
                   .update = updates_[k].data_ptr<float>()});
    }
  }

  std::vector<NamedTensor> state() const override { return moments_.state(); }

 private:
  /// The same by torch's own operations, on whatever device.
  static void step_elsewhere(at::Tensor value, const at::Tensor& gradient, double learning_rate,
                             const StepFactors& factors, at::Tensor mean, at::Tensor square) {
    const at::NoGradGuard no_gradients;
    mean.mul_(kBeta1).add_(gradient, 1 - kBeta1);
    square.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
    const at::Tensor update = mean * factors.mean_correction / (square.sqrt() * factors.root_correction + kEpsilon) +
                              factors.weight_decay * value;
    const auto length = [](const at::Tensor& tensor) { return tensor.to(at::kDouble).square().sum().sqrt(); };
    const at::Tensor value_length = length(value);
    const at::Tensor update_length = length(update);
    const at::Tensor ratio = at::where((value_length > 0).logical_and(update_length > 0), value_length / update_length,
                                       at::ones_like(value_length));
    value.sub_(update * (learning_rate * ratio).to(at::kFloat));
  }

  static void step_tensor(std::int64_t size, double learning_rate, const StepFactors& factors, const Values& values) {
    const std::int64_t blocks = num_blocks(size, kGrain);
    std::vector<double> value_squares(static_cast<std::size_t>(blocks));
    std::vector<double> update_squares(static_cast<std::size_t>(blocks));
    parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) {
      const auto block = static_cast<std::size_t>(begin / kGrain);
      find_update(begin, end, factors, values.gradient, values.mean, values.square, values.value, values.update);
      value_squares[block] = sum_of_squares(begin, end, values.value);
      update_squares[block] = sum_of_squares(begin, end, values.update);
    });
    double value_norm = 0;
    double update_norm = 0;
    for (std::size_t block = 0; block < value_squares.size(); ++block) {
      value_norm += value_squares[block];
      update_norm += update_squares[block];
    }
    const double ratio = value_norm > 0 && update_norm > 0 ? std::sqrt(value_norm / update_norm) : 1;
    parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) {
      apply_update(begin, end, static_cast<float>(learning_rate * ratio), values.update, values.value);
    });
  }

  double weight_decay_;
  Moments moments_;
  std::vector<at::Tensor> updates_;  ///< of the step at hand
};

const Registered<OptimizerEntry> lamb{{
    .name = "lamb",
    .summary = "LAMB: steps as long as the parameters they change, with decoupled weight decay",
    .make = [](std::vector<NamedTensor> trained, const OptimizerOptions& options) -> std::unique_ptr<Optimizer> {
      return std::make_unique<Lamb>(std::move(trained), options);
    },
}};

}  // namespace
}  // namespace gir
