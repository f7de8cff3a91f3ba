#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

#include "gir/core/random.h"

namespace gir::testing {

/// Normally distributed random numbers that depend on the seed only.
inline torch::Tensor random_tensor(std::vector<std::int64_t> shape, std::uint64_t seed,
                                   torch::ScalarType type = torch::kDouble) {
  torch::Tensor tensor = torch::empty(shape, torch::kDouble);
  const RandomStream stream(seed, "test/tensor");
  double* values = tensor.data_ptr<double>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    const auto at = static_cast<std::uint64_t>(2 * i);
    values[i] = std::sqrt(-2 * std::log(1 - stream.uniform(at))) * std::cos(6.283185307179586 * stream.uniform(at + 1));
  }
  return tensor.to(type);
}

/// Checks the gradients of `function` with respect to all inputs against central differences, in double. The loss is a
/// sum of the outputs with random weights, so that errors cannot cancel.
inline void expect_gradients(const std::function<torch::Tensor(const std::vector<torch::Tensor>&)>& function,
                             std::vector<torch::Tensor> inputs, double tolerance = 1e-6) {
  for (torch::Tensor& input : inputs) {
    if (input.defined()) input = input.detach().clone().requires_grad_();
  }
  const torch::Tensor out = function(inputs);
  const torch::Tensor weights = random_tensor(out.sizes().vec(), 99);
  (out * weights).sum().backward();
  const torch::NoGradGuard no_gradients;
  const auto value = [&] { return (function(inputs) * weights).sum().item<double>(); };
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!inputs[k].defined()) continue;
    ASSERT_TRUE(inputs[k].grad().defined()) << "input " << k << " has no gradient";
    double* values = inputs[k].data_ptr<double>();
    const torch::Tensor gradient = inputs[k].grad().contiguous();
    for (std::int64_t i = 0; i < inputs[k].numel(); ++i) {
      const double before = values[i];
      const double step = 1e-5;
      values[i] = before + step;
      const double above = value();
      values[i] = before - step;
      const double below = value();
      values[i] = before;
      const double expected = (above - below) / (2 * step);
      ASSERT_NEAR(gradient.data_ptr<double>()[i], expected, tolerance * (1 + std::abs(expected)))
          << "input " << k << ", value " << i;
    }
  }
}

}  // namespace gir::testing
