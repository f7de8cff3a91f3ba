#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/learn/optimizer.h"
#include "graph/random_graphs.h"
#include "support.h"

namespace gir {
namespace {

std::unique_ptr<Optimizer> make_lamb(const std::vector<NamedTensor>& tensors, double weight_decay) {
  return Registry<OptimizerEntry>::get("lamb").make(tensors, {.weight_decay = weight_decay});
}

/// An arbitrary gradient that depends on the step and the index.
double gradient_at(int step, std::size_t i) { return std::sin(1.7 * step + 0.3 * static_cast<double>(i)) * (step % 3); }

/// The LAMB update of the paper by You et al. in double precision and plain loops.
std::vector<double> expected_after(std::vector<double> values, int steps, double rate, double decay) {
  std::vector<double> m(values.size(), 0), v(values.size(), 0);
  for (int t = 1; t <= steps; ++t) {
    std::vector<double> u(values.size());
    double value_norm = 0, update_norm = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double g = gradient_at(t, i);
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      u[i] = m[i] / (1 - std::pow(0.9, t)) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-6) + decay * values[i];
      value_norm += values[i] * values[i];
      update_norm += u[i] * u[i];
    }
    const double ratio = value_norm > 0 && update_norm > 0 ? std::sqrt(value_norm / update_norm) : 1;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= rate * ratio * u[i];
  }
  return values;
}

torch::Tensor tensor_of(const std::vector<double>& values) {
  return torch::tensor(values, torch::kDouble).to(torch::kFloat).clone().requires_grad_();
}

void set_gradient(torch::Tensor tensor, int step) {
  torch::Tensor gradient = torch::empty_like(tensor).detach();
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    gradient.data_ptr<float>()[i] = static_cast<float>(gradient_at(step, static_cast<std::size_t>(i)));
  }
  tensor.mutable_grad() = gradient;
}

TEST(Lamb, EqualsAnIndependentComputationOverTenSteps) {
  const std::vector<double> first = {0.5, -1.25, 2, 0.125, -0.75};
  const std::vector<double> second = {0, 0, 0};  // parameter norm 0: the first step has trust ratio 1
  const torch::Tensor a = tensor_of(first);
  const torch::Tensor b = tensor_of(second);
  const auto lamb = make_lamb({{"a", a}, {"b", b}}, 0.1);
  for (int step = 1; step <= 10; ++step) {
    set_gradient(a, step);
    set_gradient(b, step);
    lamb->step(0.05);
    const auto expected_a = expected_after(first, step, 0.05, 0.1);
    const auto expected_b = expected_after(second, step, 0.05, 0.1);
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_NEAR(a.data_ptr<float>()[i], expected_a[i], 2e-6) << "step " << step;
    }
    for (std::size_t i = 0; i < second.size(); ++i) {
      EXPECT_NEAR(b.data_ptr<float>()[i], expected_b[i], 2e-6) << "step " << step;
    }
  }
}

TEST(Lamb, DoesNotChangeParametersWithoutAGradient) {
  const torch::Tensor a = tensor_of({1, 2, 3});
  const auto lamb = make_lamb({{"a", a}}, 0.1);
  lamb->step(0.05);
  EXPECT_TRUE(torch::equal(a, torch::tensor({1.f, 2.f, 3.f})));
}

TEST(Lamb, IsBitIdenticalForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    const ThreadScope count(threads);
    std::vector<double> values(100'000);
    const RandomStream stream(1, "values");
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.uniform(i) - 0.5;
    const torch::Tensor a = tensor_of(values);
    const auto lamb = make_lamb({{"a", a}}, 1e-5);
    for (int step = 1; step <= 3; ++step) {
      set_gradient(a, step);
      lamb->step(0.01);
    }
    return a.detach();
  };
  EXPECT_TRUE(torch::equal(run(1), run(2)));
}

}  // namespace
}  // namespace gir
