#include "gir/nn/frontier_linear.h"

#include "gir/anchors/frontiers.h"
#include "gir/core/parallel.h"
#include "nn/gradients.h"
#include "nn/message_cases.h"
#include "nn/tested.h"
#include "support.h"

namespace gir {
namespace {

using testing::edges_of;
using testing::expect_gradients;
using testing::kLinearFunctions;
using testing::message_matrix;
using testing::MessageCase;
using testing::random_case;
using testing::random_tensor;

/// The layer computed directly from its definition, per node and message.
torch::Tensor by_definition(const MessageCase& given, MessageFunction function, const torch::Tensor& h,
                            const torch::Tensor& w_self, const torch::Tensor& w_messages, const torch::Tensor& bias) {
  const torch::Tensor matrix = message_matrix(given, function);
  torch::Tensor out = matrix.mm(h).mm(w_messages);
  if (w_self.defined()) out = out + h.mm(w_self);
  if (bias.defined()) out = out + bias;
  return out;
}

TEST(FrontierLinear, EqualsItsDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const MessageCase given = random_case(seed);
    const std::int64_t nodes = given.graph.num_nodes();
    // Rows of 16 and 32 values are summed in registers, others in memory.
    const std::int64_t in = seed % 7 == 6 ? 32 : 1 + static_cast<std::int64_t>(seed % 6);
    const std::int64_t out = seed % 5 == 4 ? 16 : 1 + static_cast<std::int64_t>(seed % 4) * 2;
    const FrontierEdges edges = edges_of(given);
    const MessageFunction function = kLinearFunctions[seed % kLinearFunctions.size()];
    const Messages messages(edges, nodes, function);
    const torch::Tensor h = random_tensor({nodes, in}, seed);
    const torch::Tensor w_self = seed % 4 == 1 ? torch::Tensor() : random_tensor({in, out}, seed + 1);
    const torch::Tensor w_messages = random_tensor({in, out}, seed + 2);
    const torch::Tensor bias = seed % 4 == 2 ? torch::Tensor() : random_tensor({out}, seed + 3);
    const torch::Tensor expected = by_definition(given, function, h, w_self, w_messages, bias);
    ASSERT_TRUE(
        torch::allclose(tested::frontier_linear(h, w_self, w_messages, bias, messages), expected, 1e-10, 1e-10));
    const auto to_float = [](const torch::Tensor& x) { return x.defined() ? x.to(torch::kFloat) : x; };
    ASSERT_TRUE(torch::allclose(
        tested::frontier_linear(to_float(h), to_float(w_self), to_float(w_messages), to_float(bias), messages),
        to_float(expected), 1e-4, 1e-4));
  }
}

TEST(FrontierLinear, HasTheGradientsOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const MessageCase given = random_case(seed);
    const std::int64_t nodes = given.graph.num_nodes();
    const std::int64_t in = seed % 2 == 0 ? 2 : 4;
    const std::int64_t out = 3;
    const FrontierEdges edges = edges_of(given);
    const Messages messages(edges, nodes, kLinearFunctions[seed % kLinearFunctions.size()]);
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) { return tested::frontier_linear(x[0], x[1], x[2], x[3], messages); },
        {random_tensor({nodes, in}, seed), seed % 4 == 1 ? torch::Tensor() : random_tensor({in, out}, seed + 1),
         random_tensor({in, out}, seed + 2), seed % 4 == 2 ? torch::Tensor() : random_tensor({out}, seed + 3)});
  }
}

TEST(FrontierLinear, RejectsNonlinearMessages) {
  const Graph path = testing::undirected(2, {{0, 1}});
  const std::vector<NodeId> anchors = {0};
  const FrontierEdges edges = edges_leaving(path, anchors);
  for (const MessageFunction function : {MessageFunction::kMax, MessageFunction::kAttention}) {
    EXPECT_THROW(tested::frontier_linear(torch::ones({2, 2}), torch::Tensor(), torch::ones({2, 2}), torch::Tensor(),
                                         Messages(edges, 2, function)),
                 InternalError);
  }
}

TEST(FrontierLinear, CanOmitTheGradientOfItsInput) {
  const Graph path = testing::undirected(3, {{0, 1}, {1, 2}});
  const std::vector<NodeId> anchors = {0};
  const FrontierEdges edges = edges_leaving(path, anchors);
  const Messages messages(edges, 3, MessageFunction::kMean);
  const torch::Tensor weights = random_tensor({2, 2}, 1).requires_grad_();
  tested::frontier_linear(random_tensor({3, 2}, 0), weights, weights, torch::Tensor(), messages).sum().backward();
  EXPECT_TRUE(weights.grad().defined());
}

/// Output and all gradients, for a graph of several chunks and blocks.
std::vector<torch::Tensor> forward_and_backward(const Messages& messages, std::int64_t in, std::int64_t out) {
  const auto leaf = [](std::vector<std::int64_t> shape, std::uint64_t seed) {
    return random_tensor(std::move(shape), seed, torch::kFloat).requires_grad_();
  };
  std::vector<torch::Tensor> inputs = {leaf({messages.num_nodes(), in}, 0), leaf({in, out}, 1), leaf({in, out}, 2),
                                       leaf({out}, 3)};
  const torch::Tensor result = tested::frontier_linear(inputs[0], inputs[1], inputs[2], inputs[3], messages);
  (result * random_tensor({messages.num_nodes(), out}, 4, torch::kFloat)).sum().backward();
  std::vector<torch::Tensor> all = {result.detach()};
  for (const torch::Tensor& input : inputs) all.push_back(input.grad());
  return all;
}

TEST(FrontierLinear, IsBitIdenticalOnAnyNumberOfThreads) {
  const Graph graph = testing::build(testing::random_large_lines(9000, 60000, false, 1));
  std::vector<NodeId> third;
  for (NodeId v = 0; v < 9000; v += 3) third.push_back(v);
  const FrontierEdges edges = edges_leaving(graph, third);
  const Messages messages(edges, 9000, MessageFunction::kMean);
  for (const auto& [in, out] : {std::pair{24, 40}, std::pair{40, 24}}) {
    const ThreadScope one(1);
    const auto alone = forward_and_backward(messages, in, out);
    for (const int threads : {2, 3}) {
      const ThreadScope several(threads);
      const auto together = forward_and_backward(messages, in, out);
      for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i])) << i;
    }
  }
}

}  // namespace
}  // namespace gir
