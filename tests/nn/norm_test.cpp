#include "gir/nn/norm.h"

#include <cmath>

#include "gir/core/parallel.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "nn/tested.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

using Function = std::function<torch::Tensor(const std::vector<torch::Tensor>&)>;

/// The result and the gradients of all inputs, for a loss with random weights on the outputs.
std::vector<torch::Tensor> forward_and_backward(const Function& function, std::vector<torch::Tensor> inputs) {
  for (torch::Tensor& input : inputs) input = input.detach().clone().requires_grad_();
  const torch::Tensor out = function(inputs);
  (out * random_tensor(out.sizes().vec(), 98, out.scalar_type())).sum().backward();
  std::vector<torch::Tensor> all = {out.detach()};
  for (const torch::Tensor& input : inputs) all.push_back(input.grad());
  return all;
}

void expect_close(const std::vector<torch::Tensor>& ours, const std::vector<torch::Tensor>& theirs, double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_TRUE(torch::allclose(ours[i], theirs[i], tolerance, tolerance)) << i;
  }
}

void expect_same_bits_on_any_number_of_threads(const Function& function, const std::vector<torch::Tensor>& inputs) {
  const ThreadScope one(1);
  const auto alone = forward_and_backward(function, inputs);
  for (const int threads : {2, 3}) {
    const ThreadScope several(threads);
    const auto together = forward_and_backward(function, inputs);
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i])) << i;
  }
}

/// x, gamma and beta.
std::vector<torch::Tensor> random_inputs(std::int64_t rows, std::int64_t width, torch::ScalarType type) {
  return {2 * random_tensor({rows, width}, 1, type) + 3 * random_tensor({width}, 2, type),
          random_tensor({width}, 3, type), random_tensor({width}, 4, type)};
}

struct Running {
  explicit Running(std::int64_t width, torch::ScalarType type = torch::kDouble)
      : mean(random_tensor({width}, 5, type)), variance(random_tensor({width}, 6, type).abs() + 0.5) {}
  torch::Tensor mean;
  torch::Tensor variance;
};

constexpr std::array<std::pair<std::int64_t, std::int64_t>, 6> kShapes = {
    {{2, 1}, {3, 5}, {40, 16}, {7, 33}, {600, 3}, {1500, 48}}};

TEST(BatchNorm, EqualsTorchInTrainingAndEvaluation) {
  for (const auto& [rows, width] : kShapes) {
    for (const bool training : {true, false}) {
      for (const auto type : {torch::kDouble, torch::kFloat}) {
        const double tolerance = type == torch::kDouble ? 1e-9 : 1e-3;
        const Running ours(width, type);
        const Running theirs(width, type);
        expect_close(forward_and_backward(
                         [&](const std::vector<torch::Tensor>& x) {
                           return tested::batch_norm(x[0], x[1], x[2], ours.mean, ours.variance,
                                                     {.training = training, .momentum = 0.2});
                         },
                         random_inputs(rows, width, type)),
                     forward_and_backward(
                         [&](const std::vector<torch::Tensor>& x) {
                           return torch::batch_norm(x[0], x[1], x[2], theirs.mean, theirs.variance, training, 0.2, 1e-5,
                                                    false);
                         },
                         random_inputs(rows, width, type)),
                     tolerance);
        expect_close({ours.mean, ours.variance}, {theirs.mean, theirs.variance}, tolerance);
      }
    }
  }
}

TEST(BatchNorm, HasTheGradientsOfFiniteDifferences) {
  for (const bool training : {true, false}) {
    const Running running(4);
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) {
          return tested::batch_norm(x[0], x[1], x[2], running.mean.clone(), running.variance.clone(),
                                    {.training = training});
        },
        random_inputs(9, 4, torch::kDouble));
  }
}

TEST(BatchNorm, WithAFusedActivationIsBitIdenticalToBothInSequence) {
  for (const auto& [rows, width] : kShapes) {
    for (const bool training : {true, false}) {
      for (const double rate : {0.0, 0.4}) {
        const ReluDropout activation{rate, RandomStream(5, "test/dropout")};
        const auto run = [&](bool fused) {
          const Running running(width, torch::kFloat);
          return forward_and_backward(
              [&](const std::vector<torch::Tensor>& x) {
                const auto normed = [&](const BatchNormOptions& options) {
                  return tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance, options);
                };
                return fused ? normed({.training = training, .activation = activation})
                             : tested::relu_dropout(normed({.training = training}), activation);
              },
              random_inputs(rows, width, torch::kFloat));
        };
        const auto together = run(true);
        const auto apart = run(false);
        ASSERT_EQ(together.size(), apart.size());
        for (std::size_t i = 0; i < apart.size(); ++i) EXPECT_TRUE(torch::equal(together[i], apart[i])) << i;
      }
    }
  }
}

TEST(BatchNorm, UpdatesTheRunningStatisticsInTrainingOnly) {
  const Running running(2);
  const torch::Tensor mean = running.mean.clone();
  const std::vector<torch::Tensor> x = random_inputs(10, 2, torch::kDouble);
  tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance, {.training = false});
  EXPECT_TRUE(torch::equal(running.mean, mean));
  tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance, {.momentum = 1});
  EXPECT_TRUE(torch::allclose(running.mean, x[0].mean(0)));
  EXPECT_TRUE(torch::allclose(running.variance, x[0].var(0)));
}

TEST(BatchNorm, CanReplaceTheRunningStatisticsByThoseOfTheBatch) {
  for (const auto& [rows, width] : kShapes) {
    const Running running(width);
    const Running trained(width);
    const std::vector<torch::Tensor> x = random_inputs(rows, width, torch::kDouble);
    tested::recalibrate_batch_norm(x[0], running.mean, running.variance);
    tested::batch_norm(x[0], x[1], x[2], trained.mean, trained.variance, {.momentum = 1});
    EXPECT_TRUE(torch::equal(running.mean, trained.mean));
    EXPECT_TRUE(torch::equal(running.variance, trained.variance));
    EXPECT_TRUE(torch::allclose(running.mean, x[0].mean(0)));
    EXPECT_TRUE(torch::allclose(running.variance, x[0].var(0)));
  }
}

TEST(BatchNorm, GivesBetaForASingleRow) {
  const Running running(3);
  const torch::Tensor variance = running.variance.clone();
  const auto all = forward_and_backward(
      [&](const std::vector<torch::Tensor>& x) {
        return tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance);
      },
      random_inputs(1, 3, torch::kDouble));
  EXPECT_TRUE(torch::allclose(all[0][0], random_inputs(1, 3, torch::kDouble)[2]));
  EXPECT_TRUE(torch::equal(all[1], torch::zeros({1, 3}, torch::kDouble)));
  EXPECT_TRUE(torch::allclose(running.variance, 0.9 * variance));
}

TEST(BatchNorm, IsAccurateForAMeanFarFromZero) {
  // In float, the square of the mean, or of an outlier in the first row, would swamp the variance.
  torch::Tensor x = random_tensor({5000, 4}, 7, torch::kFloat) + 4096;
  x[0] += 1000;
  const torch::Tensor gamma = torch::ones({4});
  const torch::Tensor beta = torch::zeros({4});
  const torch::Tensor mean = torch::zeros({4});
  const torch::Tensor variance = torch::zeros({4});
  tested::batch_norm(x, gamma, beta, mean, variance, {.momentum = 1});
  EXPECT_TRUE(torch::allclose(variance, x.to(torch::kDouble).var(0).to(torch::kFloat), 1e-6));
}

TEST(BatchNorm, CanOmitTheGradientOfItsInput) {
  const Running running(3);
  std::vector<torch::Tensor> x = random_inputs(5, 3, torch::kDouble);
  x[1].requires_grad_();
  tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance).sum().backward();
  EXPECT_TRUE(x[1].grad().defined());
}

TEST(BatchNorm, IsBitIdenticalOnAnyNumberOfThreads) {
  for (const bool training : {true, false}) {
    expect_same_bits_on_any_number_of_threads(
        [&](const std::vector<torch::Tensor>& x) {
          const Running running(40, torch::kFloat);
          return tested::batch_norm(x[0], x[1], x[2], running.mean, running.variance, {.training = training});
        },
        random_inputs(3001, 40, torch::kFloat));
  }
}

TEST(LayerNorm, EqualsTorch) {
  for (const auto& [rows, width] : kShapes) {
    for (const auto type : {torch::kDouble, torch::kFloat}) {
      const std::vector<std::int64_t> row = {width};
      expect_close(
          forward_and_backward([](const std::vector<torch::Tensor>& x) { return tested::layer_norm(x[0], x[1], x[2]); },
                               random_inputs(rows, width, type)),
          forward_and_backward(
              [&](const std::vector<torch::Tensor>& x) { return torch::layer_norm(x[0], row, x[1], x[2]); },
              random_inputs(rows, width, type)),
          type == torch::kDouble ? 1e-9 : 1e-3);
    }
  }
}

TEST(LayerNorm, HasTheGradientsOfFiniteDifferences) {
  for (const std::int64_t width : {2, 5, 18}) {
    expect_gradients([](const std::vector<torch::Tensor>& x) { return tested::layer_norm(x[0], x[1], x[2], 1e-2); },
                     random_inputs(4, width, torch::kDouble));
  }
}

TEST(LayerNorm, IsBitIdenticalOnAnyNumberOfThreads) {
  expect_same_bits_on_any_number_of_threads(
      [](const std::vector<torch::Tensor>& x) { return tested::layer_norm(x[0], x[1], x[2]); },
      random_inputs(3001, 40, torch::kFloat));
}

TEST(L2Normalise, DividesRowsByTheirNorm) {
  for (const auto& [rows, width] : kShapes) {
    for (const auto type : {torch::kDouble, torch::kFloat}) {
      const torch::Tensor x = random_tensor({rows, width}, 8, type);
      expect_close(
          forward_and_backward([](const std::vector<torch::Tensor>& in) { return tested::l2_normalise(in[0]); }, {x}),
          forward_and_backward(
              [](const std::vector<torch::Tensor>& in) {
                return in[0] / in[0].norm(2, 1, /*keepdim=*/true).clamp_min(1e-12);
              },
              {x}),
          type == torch::kDouble ? 1e-12 : 1e-5);
    }
  }
}

TEST(L2Normalise, HasTheGradientsOfFiniteDifferences) {
  // With this epsilon the norm of some rows is below it.
  for (const double epsilon : {1e-12, 2.5}) {
    expect_gradients([&](const std::vector<torch::Tensor>& x) { return tested::l2_normalise(x[0], epsilon); },
                     {random_tensor({12, 6}, 9)});
  }
}

TEST(L2Normalise, KeepsRowsOfZerosWithAZeroGradient) {
  torch::Tensor x = random_tensor({3, 5}, 10);
  x[1].zero_();
  const auto all =
      forward_and_backward([](const std::vector<torch::Tensor>& in) { return tested::l2_normalise(in[0]); }, {x});
  EXPECT_TRUE(torch::equal(all[0][1], torch::zeros({5}, torch::kDouble)));
  EXPECT_TRUE(torch::equal(all[1][1], torch::zeros({5}, torch::kDouble)));
  EXPECT_TRUE(all[1].isfinite().all().item<bool>());
}

TEST(L2Normalise, IsBitIdenticalOnAnyNumberOfThreads) {
  expect_same_bits_on_any_number_of_threads(
      [](const std::vector<torch::Tensor>& x) { return tested::l2_normalise(x[0]); },
      {random_tensor({3001, 40}, 11, torch::kFloat)});
}

}  // namespace
}  // namespace gir
