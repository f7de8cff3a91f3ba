#include "gir/nn/node_input.h"

#include <cmath>

#include "gir/core/parallel.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "nn/tested.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

DenseMatrix dense_features(std::int64_t nodes, std::int64_t columns) {
  DenseMatrix matrix{.rows = nodes, .columns = columns, .values = Array<float>(nodes * columns)};
  for (std::int64_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = static_cast<float>(i % 7) - 3;
  return matrix;
}

/// One entry in `every` is nonzero.
SparseMatrix sparse_features(std::int64_t nodes, std::int64_t columns, std::int64_t every = 7) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> indices;
  std::vector<float> values;
  for (std::int64_t v = 0; v < nodes; ++v) {
    for (std::int64_t c = 0; c < columns; ++c) {
      if ((v * 5 + c * 3) % every != 0) continue;
      indices.push_back(static_cast<std::int32_t>(c));
      values.push_back(static_cast<float>(v - c));
    }
    offsets.push_back(std::ssize(indices));
  }
  return {.rows = nodes,
          .columns = columns,
          .offsets = Array<std::int64_t>(std::span<const std::int64_t>(offsets)),
          .column_indices = Array<std::int32_t>(std::span<const std::int32_t>(indices)),
          .values = Array<float>(std::span<const float>(values))};
}

/// An input with all types of blocks, and the same as a dense matrix.
struct Everything {
  explicit Everything(std::int64_t nodes)
      : dense(dense_features(nodes, 3)), sparse(sparse_features(nodes, 5)), input(nodes) {
    input.add_constant();
    input.add_features(dense);
    input.add_features(sparse);
    const std::vector<NodeId> anchors = {static_cast<NodeId>(nodes - 1), 0};
    input.add_one_hot(anchors);
    input.add_one_hot_of_all();
    matrix = torch::zeros({nodes, input.width()}, torch::kDouble);
    const auto& dense_values = std::get<DenseMatrix>(dense);
    const auto& sparse_values = std::get<SparseMatrix>(sparse);
    for (std::int64_t v = 0; v < nodes; ++v) {
      matrix[v][0] = 1;
      for (std::int64_t c = 0; c < 3; ++c) matrix[v][1 + c] = dense_values.values[v * 3 + c];
      for (std::int64_t i = sparse_values.offsets[v]; i < sparse_values.offsets[v + 1]; ++i) {
        matrix[v][4 + sparse_values.column_indices[i]] = sparse_values.values[i];
      }
      matrix[v][11 + v] = 1;
    }
    matrix[nodes - 1][9] = 1;
    matrix[0][10] = 1;
  }

  Features dense;
  Features sparse;
  NodeInput input;
  torch::Tensor matrix;
};

TEST(NodeInput, StoresFeaturesDenselyIfMoreThanAQuarterIsNonzero) {
  for (const std::int64_t every : {2, 3, 4, 7}) {
    const Features features = sparse_features(600, 5, every);
    NodeInput input(600);
    input.add_features(features);
    input.add_features(features);
    const auto* dense = std::get_if<NodeInput::Dense>(&input.blocks()[0].content);
    ASSERT_EQ(dense != nullptr, every < 4) << every;
    if (dense != nullptr) {
      EXPECT_EQ(dense->given, std::get<NodeInput::Dense>(input.blocks()[1].content).given) << "one copy for all inputs";
    }
    const auto& values = std::get<SparseMatrix>(features);
    const auto matrix = torch::zeros({600, 5}, torch::kDouble);
    for (std::int64_t v = 0; v < 600; ++v) {
      for (std::int64_t i = values.offsets[v]; i < values.offsets[v + 1]; ++i) {
        matrix[v][values.column_indices[i]] = values.values[i];
      }
    }
    const auto w = random_tensor({10, 4}, 0);
    EXPECT_TRUE(torch::allclose(input_linear(input, w), torch::cat({matrix, matrix}, 1).to(w.device()).matmul(w)))
        << every;
  }
}

TEST(InputLinear, EqualsTheProductWithTheDenseMatrix) {
  for (const std::int64_t nodes : {2, 9, 600}) {
    const Everything given(nodes);
    ASSERT_EQ(given.input.width(), 11 + nodes);
    const auto w = random_tensor({given.input.width(), 4}, 0);
    EXPECT_TRUE(torch::allclose(tested::input_linear(given.input, w), given.matrix.mm(w), 1e-12, 1e-12));
    EXPECT_TRUE(torch::allclose(tested::input_linear(given.input, w.to(torch::kFloat)),
                                given.matrix.mm(w).to(torch::kFloat), 1e-3, 1e-2));
  }
}

TEST(InputLinear, HasTheGradientsOfFiniteDifferences) {
  const Everything given(9);
  expect_gradients([&](const std::vector<torch::Tensor>& x) { return tested::input_linear(given.input, x[0]); },
                   {random_tensor({given.input.width(), 3}, 0)});
}

TEST(InputLinear, IsBitIdenticalOnAnyNumberOfThreads) {
  const Everything given(3000);
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    const auto w = random_tensor({given.input.width(), 16}, 0, torch::kFloat).requires_grad_();
    const auto out = tested::input_linear(given.input, w);
    out.pow(2).sum().backward();
    return std::vector<torch::Tensor>{out.detach(), w.grad()};
  };
  const auto alone = run(1);
  const auto together = run(3);
  EXPECT_TRUE(torch::equal(alone[0], together[0]));
  EXPECT_TRUE(torch::equal(alone[1], together[1]));
}

TEST(InputLinear, AddsToABase) {
  const Everything given(300);
  const auto w = random_tensor({given.input.width(), 4}, 0);
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{4}, {300, 4}}) {
    const auto base = random_tensor(shape, 1);
    EXPECT_TRUE(
        torch::allclose(tested::input_linear(given.input, w, {.base = base}), given.matrix.mm(w) + base, 1e-12, 1e-12));
  }
  const Everything small(9);
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3}, {9, 3}}) {
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) { return tested::input_linear(small.input, x[0], {.base = x[1]}); },
        {random_tensor({small.input.width(), 3}, 0), random_tensor(shape, 1)});
  }
}

TEST(NodeInput, SelectsTheRowsOfSomeNodes) {
  const Everything given(600);
  const std::vector<NodeId> chosen = {0, 3, 4, 77, 599};
  const NodeInput rows = given.input.rows_of(chosen);
  ASSERT_EQ(rows.num_nodes(), 5);
  ASSERT_EQ(rows.width(), given.input.width());
  const auto index = torch::tensor(std::vector<std::int64_t>(chosen.begin(), chosen.end()));
  const auto w = random_tensor({given.input.width(), 3}, 0).requires_grad_();
  const auto out = tested::input_linear(rows, w);
  EXPECT_TRUE(torch::allclose(out, given.matrix.index_select(0, index).mm(w), 1e-12, 1e-12));
  const auto d_out = random_tensor({5, 3}, 1);
  out.backward(d_out);
  EXPECT_TRUE(torch::allclose(w.grad(), given.matrix.index_select(0, index).t().mm(d_out), 1e-12, 1e-12));
}

/// The input matrix after dropout, as a dense matrix.
torch::Tensor dropped_matrix(const Everything& given, const InputDropout& dropout) {
  return tested::input_linear(given.input, torch::eye(given.input.width(), torch::kDouble), {.dropout = &dropout});
}

TEST(InputDropout, DropsAShareOfTheFeaturesAndNothingElse) {
  const Everything given(3000);
  constexpr double kRate = 0.3;
  InputDropout dropout(given.input, kRate);
  dropout.draw(7, 1, tested::device());
  const torch::Tensor left = dropped_matrix(given, dropout);
  EXPECT_TRUE(torch::equal(left.slice(1, 0, 1), given.matrix.slice(1, 0, 1)));
  EXPECT_TRUE(torch::equal(left.slice(1, 9), given.matrix.slice(1, 9)));
  for (const auto& [begin, end] : {std::pair(1, 4), std::pair(4, 9)}) {
    const torch::Tensor before = given.matrix.slice(1, begin, end);
    const torch::Tensor after = left.slice(1, begin, end);
    const torch::Tensor kept = after.ne(0);
    EXPECT_TRUE(torch::allclose(after, (before / (1 - kRate)) * kept, 1e-6));
    const double values = before.ne(0).sum().item<double>();
    EXPECT_NEAR(kept.sum().item<double>() / values, 1 - kRate, 5 * std::sqrt(kRate * (1 - kRate) / values));
  }
}

TEST(InputDropout, DependsOnTheEpochAndIsReproducible) {
  const Everything given(200);
  InputDropout dropout(given.input, 0.5);
  dropout.draw(7, 1, tested::device());
  const torch::Tensor first = dropped_matrix(given, dropout);
  dropout.draw(7, 2, tested::device());
  EXPECT_FALSE(torch::equal(dropped_matrix(given, dropout), first));
  dropout.draw(7, 1, tested::device());
  EXPECT_TRUE(torch::equal(dropped_matrix(given, dropout), first));
}

TEST(InputDropout, HasTheGradientOfTheMaskedInput) {
  const Everything given(300);
  InputDropout dropout(given.input, 0.4);
  dropout.draw(3, 5, tested::device());
  const torch::Tensor left = dropped_matrix(given, dropout);
  const torch::Tensor w = random_tensor({given.input.width(), 3}, 0).requires_grad_();
  const torch::Tensor d_out = random_tensor({300, 3}, 1);
  tested::input_linear(given.input, w, {.dropout = &dropout}).backward(d_out);
  EXPECT_TRUE(torch::allclose(w.grad(), left.t().mm(d_out), 1e-10, 1e-10));
}

TEST(InputDropout, DropsNothingAtRateZero) {
  const Everything given(20);
  InputDropout dropout(given.input, 0);
  dropout.draw(3, 5, tested::device());
  EXPECT_TRUE(torch::equal(dropped_matrix(given, dropout), given.matrix));
}

TEST(NodeInput, IsConstantWithoutFeatures) {
  NodeInput input(3);
  const Features none;
  input.add_features(none);
  EXPECT_EQ(input.width(), 1);
  const auto w = random_tensor({1, 2}, 0);
  EXPECT_TRUE(torch::equal(tested::input_linear(input, w), w.expand({3, 2})));
}

}  // namespace
}  // namespace gir
