#include "gir/nn/linear.h"

#include "gir/core/parallel.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "nn/tested.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

TEST(Linear, EqualsTheProduct) {
  for (const std::int64_t rows : {0, 1, 5, 700}) {
    const auto x = random_tensor({rows, 3}, 0);
    const auto w = random_tensor({3, 4}, 1);
    const auto b = random_tensor({4}, 2);
    EXPECT_TRUE(torch::allclose(tested::linear(x, w, b), x.mm(w) + b, 1e-12, 1e-12));
    EXPECT_TRUE(torch::allclose(tested::linear(x, w, torch::Tensor()), x.mm(w), 1e-12, 1e-12));
  }
}

TEST(Linear, HasTheGradientsOfFiniteDifferences) {
  expect_gradients([](const std::vector<torch::Tensor>& x) { return tested::linear(x[0], x[1], x[2]); },
                   {random_tensor({7, 3}, 0), random_tensor({3, 4}, 1), random_tensor({4}, 2)});
}

TEST(Linear, IsBitIdenticalOnAnyNumberOfThreads) {
  const auto run = [](int threads) {
    const ThreadScope count(threads);
    const auto x = random_tensor({5000, 20}, 0, torch::kFloat).requires_grad_();
    const auto w = random_tensor({20, 30}, 1, torch::kFloat).requires_grad_();
    const auto out = tested::linear(x, w, torch::Tensor());
    out.pow(2).sum().backward();
    return std::vector<torch::Tensor>{out.detach(), x.grad(), w.grad()};
  };
  const auto alone = run(1);
  const auto together = run(3);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i]));
}

}  // namespace
}  // namespace gir
