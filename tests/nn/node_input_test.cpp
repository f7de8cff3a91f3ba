#include "gir/nn/node_input.h"

#include "graph/random_graphs.h"
#include "nn/gradients.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

DenseMatrix dense_features(std::int64_t nodes, std::int64_t columns) {
  DenseMatrix matrix{.rows = nodes, .columns = columns, .values = Array<float>(nodes * columns)};
  for (std::int64_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = static_cast<float>(i % 7) - 3;
  return matrix;
}

SparseMatrix sparse_features(std::int64_t nodes, std::int64_t columns) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> indices;
  std::vector<float> values;
  for (std::int64_t v = 0; v < nodes; ++v) {
    for (std::int64_t c = 0; c < columns; ++c) {
      if ((v * 5 + c * 3) % 4 != 0) continue;
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

/// The matrix that an input of all kinds of blocks stands for, written out.
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

TEST(InputLinear, EqualsTheProductWithTheMatrixWrittenOut) {
  for (const std::int64_t nodes : {2, 9, 600}) {
    const Everything given(nodes);
    ASSERT_EQ(given.input.width(), 11 + nodes);
    const auto w = random_tensor({given.input.width(), 4}, 0);
    EXPECT_TRUE(torch::allclose(input_linear(given.input, w), given.matrix.mm(w), 1e-12, 1e-12));
    EXPECT_TRUE(torch::allclose(input_linear(given.input, w.to(torch::kFloat)), given.matrix.mm(w).to(torch::kFloat),
                                1e-3, 1e-2));
  }
}

TEST(InputLinear, HasTheGradientsOfFiniteDifferences) {
  const Everything given(9);
  expect_gradients([&](const std::vector<torch::Tensor>& x) { return input_linear(given.input, x[0]); },
                   {random_tensor({given.input.width(), 3}, 0)});
}

TEST(InputLinear, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Everything given(3000);
  const auto run = [&](int threads) {
    const testing::ThreadCount count(threads);
    const auto w = random_tensor({given.input.width(), 16}, 0, torch::kFloat).requires_grad_();
    const auto out = input_linear(given.input, w);
    out.pow(2).sum().backward();
    return std::vector<torch::Tensor>{out.detach(), w.grad()};
  };
  const auto alone = run(1);
  const auto together = run(3);
  EXPECT_TRUE(torch::equal(alone[0], together[0]));
  EXPECT_TRUE(torch::equal(alone[1], together[1]));
}

TEST(NodeInput, IsConstantWithoutFeatures) {
  NodeInput input(3);
  const Features none;
  input.add_features(none);
  EXPECT_EQ(input.width(), 1);
  const auto w = random_tensor({1, 2}, 0);
  EXPECT_TRUE(torch::equal(input_linear(input, w), w.expand({3, 2})));
}

}  // namespace
}  // namespace gir
