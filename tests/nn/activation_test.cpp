#include "gir/nn/activation.h"

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

const RandomStream kStream(3, "test/dropout");

/// Computed element by element.
torch::Tensor by_definition(const torch::Tensor& x, double rate, const RandomStream& stream) {
  torch::Tensor out = torch::zeros_like(x);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const std::uint32_t word = stream.words(static_cast<std::uint64_t>(i / 4)).at(static_cast<std::size_t>(i % 4));
    const double value = x.data_ptr<double>()[i];
    if (value > 0 && word >= rate * 0x1p32) out.data_ptr<double>()[i] = value * (1 / (1 - rate));
  }
  return out;
}

TEST(ReluDropout, EqualsItsDefinition) {
  for (const std::int64_t size : {0, 1, 3, 4, 63, 64, 65, 1000, 40001}) {
    for (const double rate : {0.0, 0.1, 0.5, 0.999}) {
      const torch::Tensor x = random_tensor({size}, 1);
      const torch::Tensor expected = by_definition(x, rate, kStream);
      EXPECT_TRUE(torch::equal(tested::relu_dropout(x, {rate, kStream}), expected)) << size << " at " << rate;
      EXPECT_TRUE(torch::allclose(tested::relu_dropout(x.to(torch::kFloat), {rate, kStream}),
                                  expected.to(torch::kFloat), 1e-6));
    }
  }
}

TEST(ReluDropout, IsPlainReluAtRateZero) {
  const torch::Tensor x = random_tensor({50, 7}, 2, torch::kFloat);
  EXPECT_TRUE(torch::equal(tested::relu_dropout(x, {0, kStream}), torch::relu(x)));
}

TEST(ReluDropout, KeepsTheExpectedShareAndTheMean) {
  constexpr std::int64_t kSize = 1'000'000;
  const torch::Tensor x = torch::ones({kSize});
  for (const double rate : {0.01, 0.3, 0.5, 0.9}) {
    const torch::Tensor out = tested::relu_dropout(x, {rate, kStream});
    const double share = out.gt(0).to(torch::kDouble).mean().item<double>();
    EXPECT_NEAR(share, 1 - rate, 5 * std::sqrt(rate * (1 - rate) / kSize));
    EXPECT_NEAR(out.to(torch::kDouble).mean().item<double>(), share / (1 - rate), 1e-6);
  }
}

TEST(ReluDropout, DropsOtherElementsWithAnotherStream) {
  const torch::Tensor x = torch::ones({1000});
  const torch::Tensor first = tested::relu_dropout(x, {0.5, RandomStream(3, "test/dropout", 1)});
  const torch::Tensor second = tested::relu_dropout(x, {0.5, RandomStream(3, "test/dropout", 2)});
  EXPECT_NEAR(first.ne(second).sum().item<double>(), 500, 80);
}

TEST(ReluDropout, HasTheGradientsOfFiniteDifferences) {
  for (const double rate : {0.0, 0.4}) {
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) {
          return tested::relu_dropout(x[0], {rate, kStream});
        },
        {random_tensor({20, 7}, 5)});
  }
}

TEST(ReluDropout, PropagatesNaN) {
  const torch::Tensor x = torch::full({1000}, std::nan(""));
  EXPECT_TRUE(tested::relu_dropout(x, {0, kStream}).isnan().all().item<bool>());
  EXPECT_TRUE(tested::relu_dropout(x, {0.5, kStream}).isnan().any().item<bool>());
}

TEST(ReluDropout, RejectsRatesOutsideOfItsRange) {
  const torch::Tensor x = torch::ones({4});
  for (const double rate : {-0.1, 1.0, std::nan("")})
    EXPECT_THROW(tested::relu_dropout(x, {rate, kStream}), InternalError);
}

TEST(ReluDropout, IsBitIdenticalOnAnyNumberOfThreads) {
  const auto forward_and_backward = [](int threads) {
    const ThreadScope count(threads);
    const torch::Tensor x = random_tensor({401, 129}, 6, torch::kFloat).requires_grad_();
    const torch::Tensor out = tested::relu_dropout(x, {0.3, kStream});
    (out * random_tensor({401, 129}, 7, torch::kFloat)).sum().backward();
    return std::pair(out.detach(), x.grad());
  };
  const auto alone = forward_and_backward(1);
  for (const int threads : {2, 3}) {
    const auto together = forward_and_backward(threads);
    EXPECT_TRUE(torch::equal(alone.first, together.first));
    EXPECT_TRUE(torch::equal(alone.second, together.second));
  }
}

}  // namespace
}  // namespace gir
