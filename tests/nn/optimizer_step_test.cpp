#include "gir/nn/optimizer_step.h"

#include <cmath>

#include "nn/gradients.h"
#include "nn/tested.h"

namespace gir {
namespace {

using testing::random_tensor;

constexpr double kWeightDecay = 0.1;
constexpr double kLearningRate = 0.05;

torch::Tensor factors_of(int step) {
  StepFactors factors{.mean_decay = 0.9,
                      .square_decay = 0.999,
                      .weight_decay = kWeightDecay,
                      .epsilon = 1e-6,
                      .learning_rate = kLearningRate,
                      .mean_correction = 1 / (1 - std::pow(static_cast<double>(0.9f), step)),
                      .root_correction = 1 / std::sqrt(1 - std::pow(static_cast<double>(0.999f), step))};
  return tested::to_device(torch::from_blob(&factors, {kNumStepFactors}, torch::kDouble).clone());
}

/// Adam and LAMB in double precision with torch operations.
struct Expected {
  torch::Tensor value, mean, square;

  torch::Tensor direction(const torch::Tensor& gradient, int step) {
    mean = 0.9 * mean + 0.1 * gradient;
    square = 0.999 * square + 0.001 * gradient * gradient;
    return mean / (1 - std::pow(0.9, step)) / ((square / (1 - std::pow(0.999, step))).sqrt() + 1e-6);
  }
  void adam(const torch::Tensor& gradient, int step) {
    value = value - kLearningRate * direction(gradient + kWeightDecay * value, step);
  }
  void lamb(const torch::Tensor& gradient, int step) {
    const torch::Tensor update = direction(gradient, step) + kWeightDecay * value;
    const double length = value.norm().item<double>();
    const double update_length = update.norm().item<double>();
    value = value - kLearningRate * (length > 0 && update_length > 0 ? length / update_length : 1) * update;
  }
};

/// Several steps for parameters of these sizes, of which one is initialised to zero.
void compare(const std::vector<std::int64_t>& sizes, void (*step)(std::span<const StepTensors>, const at::Tensor&),
             void (Expected::*expected_step)(const torch::Tensor&, int)) {
  std::vector<StepTensors> tensors;
  std::vector<Expected> expected;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    torch::Tensor value = random_tensor({sizes[k]}, static_cast<std::uint64_t>(k), torch::kFloat);
    if (k == 1) value.zero_();
    const torch::Tensor zeros = torch::zeros({sizes[k]});
    expected.push_back({value.to(torch::kDouble), zeros.to(torch::kDouble), zeros.to(torch::kDouble)});
    tensors.push_back({tested::to_device(value).clone(), torch::Tensor(), tested::to_device(zeros).clone(),
                       tested::to_device(zeros).clone()});
  }
  for (int number = 1; number <= 5; ++number) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const torch::Tensor gradient = random_tensor(
          {sizes[k]}, 100 * static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(k), torch::kFloat);
      tensors[k].gradient = tested::to_device(gradient).clone();
      (expected[k].*expected_step)(gradient.to(torch::kDouble), number);
    }
    step(tensors, factors_of(number));
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    EXPECT_TRUE(torch::allclose(tensors[k].parameter.cpu().to(torch::kDouble), expected[k].value, 1e-5, 1e-5))
        << "tensor " << k << " of " << sizes[k] << " values";
  }
}

/// Empty, a single value, parts of blocks, more values than the threads of all blocks.
const std::vector<std::int64_t> kSizes = {5, 3, 0, 1, 257, 100'000};

TEST(AdamStep, EqualsAComputationInDoublePrecision) { compare(kSizes, adam_step, &Expected::adam); }

TEST(LambStep, EqualsAComputationInDoublePrecision) { compare(kSizes, lamb_step, &Expected::lamb); }

TEST(OptimizerSteps, AcceptMoreTensorsThanFitIntoALaunch) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t k = 0; k < 150; ++k) sizes.push_back(k % 7 + 1);
  compare(sizes, lamb_step, &Expected::lamb);
  compare(sizes, adam_step, &Expected::adam);
}

TEST(OptimizerSteps, AcceptEmptyLists) {
  adam_step({}, factors_of(1));
  lamb_step({}, factors_of(1));
}

}  // namespace
}  // namespace gir
