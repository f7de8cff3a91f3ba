#include "gir/nn/pair_ops.h"

#include "gir/core/parallel.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "nn/tested.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

std::vector<NodePair> random_pairs(std::int64_t nodes, std::int64_t count, std::uint64_t seed) {
  Rng rng(seed, "test/pairs");
  std::vector<NodePair> pairs;
  while (std::ssize(pairs) < count) {
    const auto draw = [&] { return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes))); };
    const NodeId a = draw();
    const NodeId b = draw();
    if (a != b) pairs.push_back(make_pair_of(a, b));
  }
  return pairs;
}

TEST(PairProduct, MultipliesTheRowsOfEveryPair) {
  const auto pairs = random_pairs(10, 40, 1);
  const PairBatch batch(pairs, 10);
  const auto z = random_tensor({10, 3}, 0);
  const auto out = tested::pair_product(z, batch);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    EXPECT_TRUE(torch::equal(out[static_cast<std::int64_t>(p)], z[pairs[p].first] * z[pairs[p].second]));
  }
}

TEST(PairProduct, HasTheGradientsOfFiniteDifferences) {
  const auto pairs = random_pairs(6, 20, 2);
  const PairBatch batch(pairs, 6);
  expect_gradients([&](const std::vector<torch::Tensor>& x) { return tested::pair_product(x[0], batch); },
                   {random_tensor({6, 3}, 0)});
}

TEST(PairProduct, IsBitIdenticalOnAnyNumberOfThreads) {
  const auto pairs = random_pairs(2000, 30000, 3);
  const PairBatch batch(pairs, 2000);
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    const auto z = random_tensor({2000, 16}, 0, torch::kFloat).requires_grad_();
    const auto out = tested::pair_product(z, batch);
    out.pow(2).sum().backward();
    return std::vector<torch::Tensor>{out.detach(), z.grad()};
  };
  const auto alone = run(1);
  const auto together = run(3);
  EXPECT_TRUE(torch::equal(alone[0], together[0]));
  EXPECT_TRUE(torch::equal(alone[1], together[1]));
}

/// z, then the weights of an MLP with `hidden` hidden units.
std::vector<torch::Tensor> perceptron(std::int64_t nodes, std::int64_t width, std::int64_t hidden) {
  return {random_tensor({nodes, width}, 0), random_tensor({width, hidden}, 1), random_tensor({hidden}, 2),
          random_tensor({hidden, 1}, 3), random_tensor({1}, 4)};
}

TEST(PairDot, IsTheSumOfTheProductWithItsGradients) {
  for (const std::int64_t width : {1, 6, 8, 17, 32, 43, 64}) {
    const auto pairs = random_pairs(50, 3000, 4);
    const PairBatch batch(pairs, 51);  // the last node is in no pair
    const auto run = [&](const auto& scores_of) {
      const torch::Tensor z = random_tensor({51, width}, 9).requires_grad_();
      const torch::Tensor scores = scores_of(z);
      scores.sin().sum().backward();
      return std::pair(scores.detach(), z.grad());
    };
    const auto [scores, gradient] = run([&](const auto& z) { return tested::pair_dot(z, batch); });
    const auto [expected, expected_gradient] =
        run([&](const auto& z) { return tested::pair_product(z, batch).sum(1); });
    EXPECT_TRUE(torch::allclose(scores, expected, 1e-12, 1e-12)) << width;
    EXPECT_TRUE(torch::allclose(gradient, expected_gradient, 1e-10, 1e-10)) << width;
  }
}

TEST(PairDot, IsBitIdenticalOnAnyNumberOfThreads) {
  const auto pairs = random_pairs(2000, 30000, 3);
  const PairBatch batch(pairs, 2000);
  const auto run = [&](int threads) {
    const ThreadScope number(threads);
    const torch::Tensor z = random_tensor({2000, 33}, 9).to(torch::kFloat).requires_grad_();
    tested::pair_dot(z, batch).pow(2).sum().backward();
    return z.grad();
  };
  EXPECT_TRUE(torch::equal(run(1), run(3)));
}

TEST(PairMlp, EqualsItsPartsInSequence) {
  // Numbers of hidden units that fill whole tiles or do not; widths with every possible remainder of channels.
  for (const std::int64_t hidden : {5, 16, 32, 40}) {
    for (const std::int64_t width : {1, 6, 8, 17, 32}) {
      for (const std::int64_t count : {1, 41, 3000}) {
        const auto pairs = random_pairs(50, count, 4);
        const PairBatch batch(pairs, 50);
        const auto x = perceptron(50, width, hidden);
        const auto expected =
            (torch::relu(tested::pair_product(x[0], batch).mm(x[1]) + x[2]).mm(x[3]) + x[4]).flatten();
        EXPECT_TRUE(torch::allclose(tested::pair_mlp(x[0], x[1], x[2], x[3], x[4], batch), expected, 1e-12, 1e-12));
      }
    }
  }
}

TEST(PairMlp, HasTheGradientsOfItsParts) {
  for (const auto type : {torch::kDouble, torch::kFloat}) {
    const double tolerance = type == torch::kDouble ? 1e-10 : 1e-3;
    for (const std::int64_t hidden : {5, 32}) {
      for (const std::int64_t width : {9, 32}) {
        const auto pairs = random_pairs(60, 5000, 6);
        const PairBatch batch(pairs, 61);  // the last node is in no pair
        const auto gradients = [&](const auto& score) {
          auto x = perceptron(61, width, hidden);
          for (auto& tensor : x) tensor = tensor.to(type).requires_grad_();
          score(x).flatten().sin().sum().backward();
          std::vector<torch::Tensor> all;
          for (const auto& tensor : x) all.push_back(tensor.grad());
          return all;
        };
        const auto whole =
            gradients([&](const auto& x) { return tested::pair_mlp(x[0], x[1], x[2], x[3], x[4], batch); });
        const auto parts = gradients([&](const auto& x) {
          return torch::relu(tested::pair_product(x[0], batch).mm(x[1]) + x[2]).mm(x[3]) + x[4];
        });
        for (std::size_t i = 0; i < whole.size(); ++i) {
          EXPECT_TRUE(torch::allclose(whole[i], parts[i], tolerance, tolerance * 10)) << i << " of " << width;
        }
      }
    }
  }
}

TEST(PairMlp, PropagatesNaN) {
  const PairBatch batch(random_pairs(6, 30, 5), 6);
  auto x = perceptron(6, 8, 16);
  x[0].fill_(std::nan(""));
  EXPECT_TRUE(tested::pair_mlp(x[0], x[1], x[2], x[3], x[4], batch).isnan().all().item<bool>());
}

TEST(PairMlp, HasTheGradientsOfFiniteDifferences) {
  const auto pairs = random_pairs(6, 30, 5);
  const PairBatch batch(pairs, 6);
  for (const std::int64_t hidden : {4, 16}) {
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) { return tested::pair_mlp(x[0], x[1], x[2], x[3], x[4], batch); },
        perceptron(6, 3, hidden));
  }
}

TEST(PairMlp, IsBitIdenticalOnAnyNumberOfThreads) {
  const auto pairs = random_pairs(2000, 30000, 3);
  const PairBatch batch(pairs, 2000);
  const auto run = [&](int threads) {
    const ThreadScope number(threads);
    auto x = perceptron(2000, 16, 8);
    for (auto& tensor : x) tensor = tensor.to(torch::kFloat).requires_grad_();
    const auto scores = tested::pair_mlp(x[0], x[1], x[2], x[3], x[4], batch);
    scores.pow(2).sum().backward();
    std::vector<torch::Tensor> all = {scores.detach()};
    for (const auto& tensor : x) all.push_back(tensor.grad());
    return all;
  };
  const auto alone = run(1);
  const auto together = run(3);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i])) << i;
}

TEST(PairBatch, ListsThePairsOfEveryNode) {
  const std::vector<NodePair> pairs = {{0, 1}, {1, 2}, {0, 1}};
  const PairBatch batch(pairs, 4);
  EXPECT_THAT(batch.offsets(), ::testing::ElementsAre(0, 2, 5, 6, 6));
  EXPECT_THAT(batch.pair_of(), ::testing::ElementsAre(0, 2, 0, 1, 2, 1));
  EXPECT_THAT(batch.partner(), ::testing::ElementsAre(1, 1, 0, 2, 0, 1));
}

}  // namespace
}  // namespace gir
