#include "gir/nn/add_messages.h"

#include <limits>

#include "gir/core/parallel.h"
#include "nn/gradients.h"
#include "nn/message_cases.h"
#include "nn/tested.h"
#include "support.h"

namespace gir {
namespace {

using testing::edges_of;
using testing::expect_gradients;
using testing::message_matrix;
using testing::message_weights;
using testing::MessageCase;
using testing::random_case;
using testing::random_tensor;

using Tensors = std::vector<torch::Tensor>;

/// Calls the operation for the function of `messages`: inputs are base, q and, for attention, both scores.
torch::Tensor add(const Tensors& inputs, const Messages& messages) {
  switch (messages.function()) {
    case MessageFunction::kMax:
      return tested::add_max_messages(inputs[0], inputs[1], messages);
    case MessageFunction::kAttention:
      return tested::add_attention_messages(inputs[0], inputs[1], inputs[2], inputs[3], messages);
    default:
      return tested::add_messages(inputs[0], inputs[1], messages);
  }
}

Tensors random_inputs(MessageFunction function, std::int64_t nodes, std::int64_t width, std::int64_t heads,
                      std::uint64_t seed, torch::ScalarType type = torch::kDouble) {
  Tensors inputs = {random_tensor({nodes, width}, seed, type), random_tensor({nodes, width}, seed + 1, type)};
  if (function == MessageFunction::kAttention) {
    inputs.push_back(2 * random_tensor({nodes, heads}, seed + 2, type));
    inputs.push_back(2 * random_tensor({nodes, heads}, seed + 3, type));
  }
  return inputs;
}

torch::Tensor max_by_definition(const MessageCase& given, const torch::Tensor& base, const torch::Tensor& q) {
  const torch::Tensor sends = message_weights(given, false);
  torch::Tensor out = base.clone();
  for (std::int64_t v = 0; v < base.size(0); ++v) {
    const torch::Tensor senders = sends[v].nonzero().flatten();
    if (senders.numel() > 0) out[v] += q.index_select(0, senders).amax(0);
  }
  return out;
}

/// Computed per receiver and head, over edges of nonzero weight only.
torch::Tensor attention_by_definition(const MessageCase& given, const Tensors& inputs) {
  const torch::Tensor weights = message_weights(given, given.weighted);
  const std::int64_t heads = inputs[2].size(1);
  torch::Tensor out = inputs[0].clone();
  for (std::int64_t v = 0; v < out.size(0); ++v) {
    const torch::Tensor senders = weights[v].nonzero().flatten();
    if (senders.numel() == 0) continue;
    const torch::Tensor q = inputs[1].index_select(0, senders).view({senders.numel(), heads, -1});
    const torch::Tensor scores = torch::leaky_relu(inputs[2].index_select(0, senders) + inputs[3][v], 0.2) +
                                 weights[v].index_select(0, senders).log().unsqueeze(1);
    out[v] += (torch::softmax(scores, 0).unsqueeze(2) * q).sum(0).flatten();
  }
  return out;
}

torch::Tensor by_definition(const MessageCase& given, MessageFunction function, const Tensors& inputs) {
  if (function == MessageFunction::kMax) return max_by_definition(given, inputs[0], inputs[1]);
  if (function == MessageFunction::kAttention) return attention_by_definition(given, inputs);
  return inputs[0] + message_matrix(given, function).mm(inputs[1]);
}

class AddMessages : public ::testing::TestWithParam<MessageFunction> {};

INSTANTIATE_TEST_SUITE_P(Functions, AddMessages,
                         ::testing::Values(MessageFunction::kMean, MessageFunction::kSum, MessageFunction::kGcn,
                                           MessageFunction::kMax, MessageFunction::kAttention),
                         [](const auto& function) { return std::string(name_of(function.param)); });

TEST_P(AddMessages, EqualTheirDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 210; ++seed) {
    const MessageCase given = random_case(seed);
    const std::int64_t heads = 1 + static_cast<std::int64_t>(seed % 3);
    const std::int64_t width = heads * (1 + static_cast<std::int64_t>(seed % 5) * 7);
    const FrontierEdges edges = edges_of(given);
    const Messages messages(edges, given.graph.num_nodes(), GetParam());
    const Tensors inputs = random_inputs(GetParam(), given.graph.num_nodes(), width, heads, seed);
    const torch::Tensor expected = by_definition(given, GetParam(), inputs);
    ASSERT_TRUE(torch::allclose(add(inputs, messages), expected, 1e-10, 1e-10)) << seed;
    Tensors floats;
    for (const torch::Tensor& input : inputs) floats.push_back(input.to(torch::kFloat));
    ASSERT_TRUE(torch::allclose(add(floats, messages), expected.to(torch::kFloat), 1e-4, 1e-4)) << seed;
  }
}

TEST_P(AddMessages, HaveTheGradientsOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const MessageCase given = random_case(seed);
    const std::int64_t heads = 1 + static_cast<std::int64_t>(seed % 2);
    const FrontierEdges edges = edges_of(given);
    const Messages messages(edges, given.graph.num_nodes(), GetParam());
    expect_gradients([&](const Tensors& x) { return add(x, messages); },
                     random_inputs(GetParam(), given.graph.num_nodes(), 2 * heads, heads, seed));
  }
}

TEST_P(AddMessages, HaveTheGradientsOfFiniteDifferencesInWideRows) {
  const MessageCase given = random_case(10);
  const FrontierEdges edges = edges_of(given);
  const Messages messages(edges, given.graph.num_nodes(), GetParam());
  expect_gradients([&](const Tensors& x) { return add(x, messages); },
                   random_inputs(GetParam(), given.graph.num_nodes(), 2 * 19, 2, 5));
}

TEST_P(AddMessages, EqualTheBaseIfNoNodeSends) {
  const Graph path = testing::undirected(4, {{0, 1}, {1, 2}, {2, 3}});
  const std::vector<NodeId> anchors = {0};
  const FrontierEdges edges = edges_leaving(path, anchors);
  const Messages messages(edges, 4, GetParam());
  const Tensors inputs = random_inputs(GetParam(), 4, 2, 1, 1);
  const torch::Tensor out = add(inputs, messages);
  EXPECT_TRUE(torch::allclose(out[1], inputs[0][1] + inputs[1][0]));
  for (const std::int64_t v : {0, 2, 3}) EXPECT_TRUE(torch::equal(out[v], inputs[0][v]));
}

TEST_P(AddMessages, CanComputeTheGradientOfTheBaseOnly) {
  const MessageCase given = random_case(7);
  const FrontierEdges edges = edges_of(given);
  const std::int64_t nodes = given.graph.num_nodes();
  const Messages messages(edges, nodes, GetParam());
  Tensors inputs = random_inputs(GetParam(), nodes, 4, 2, 1);
  inputs[0].requires_grad_();
  add(inputs, messages).sum().backward();
  EXPECT_TRUE(torch::equal(inputs[0].grad(), torch::ones({nodes, 4}, torch::kDouble)));
}

TEST_P(AddMessages, RejectMessagesOfAnotherFunction) {
  const Graph path = testing::undirected(2, {{0, 1}});
  const std::vector<NodeId> anchors = {0};
  const FrontierEdges edges = edges_leaving(path, anchors);
  const Messages messages(edges, 2, GetParam());
  const torch::Tensor x = torch::ones({2, 2});
  if (!is_linear(GetParam())) {
    EXPECT_THROW(tested::add_messages(x, x, messages), InternalError);
  }
  if (GetParam() != MessageFunction::kMax) {
    EXPECT_THROW(tested::add_max_messages(x, x, messages), InternalError);
  }
  if (GetParam() != MessageFunction::kAttention) {
    EXPECT_THROW(tested::add_attention_messages(x, x, x, x, messages), InternalError);
  }
}

/// Output and all gradients.
Tensors forward_and_backward(const Messages& messages, std::int64_t width, std::int64_t heads) {
  Tensors inputs = random_inputs(messages.function(), messages.num_nodes(), width, heads, 0, torch::kFloat);
  for (torch::Tensor& input : inputs) input = input.detach().requires_grad_();
  const torch::Tensor out = add(inputs, messages);
  (out * random_tensor({messages.num_nodes(), width}, 4, torch::kFloat)).sum().backward();
  Tensors all = {out.detach()};
  for (const torch::Tensor& input : inputs) all.push_back(input.grad());
  return all;
}

TEST_P(AddMessages, AreBitIdenticalOnAnyNumberOfThreads) {
  const Graph graph = testing::build(testing::random_large_lines(3000, 20000, false, 1));
  std::vector<NodeId> third;
  for (NodeId v = 0; v < 3000; v += 3) third.push_back(v);
  const FrontierEdges edges = edges_leaving(graph, third);
  const Messages messages(edges, 3000, GetParam());
  const ThreadScope one(1);
  const Tensors alone = forward_and_backward(messages, 40, 2);
  for (const int threads : {2, 3}) {
    const ThreadScope several(threads);
    const Tensors together = forward_and_backward(messages, 40, 2);
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i])) << i;
  }
}

TEST(AddMaxMessages, GiveTheGradientToTheFirstOfEqualMaxima) {
  const Graph star = testing::undirected(4, {{0, 3}, {1, 3}, {2, 3}});
  const std::vector<NodeId> anchors = {0, 1, 2};
  const FrontierEdges edges = edges_leaving(star, anchors);
  const Messages messages(edges, 4, MessageFunction::kMax);
  const torch::Tensor base = torch::zeros({4, 2});
  const torch::Tensor q = torch::tensor({{1., 5.}, {2., 5.}, {2., 4.}, {9., 9.}}, torch::kFloat).requires_grad_();
  const torch::Tensor out = tested::add_max_messages(base, q, messages);
  EXPECT_TRUE(torch::equal(out[3], torch::tensor({2., 5.}, torch::kFloat)));
  out.sum().backward();
  EXPECT_TRUE(torch::equal(q.grad(), torch::tensor({{0., 1.}, {1., 0.}, {0., 0.}, {0., 0.}}, torch::kFloat)));
}

TEST(AddMaxMessages, PropagateNaN) {
  const Graph star = testing::undirected(4, {{0, 3}, {1, 3}, {2, 3}});
  const std::vector<NodeId> anchors = {0, 1, 2};
  const FrontierEdges edges = edges_leaving(star, anchors);
  const Messages messages(edges, 4, MessageFunction::kMax);
  for (std::int64_t sender = 0; sender < 3; ++sender) {
    torch::Tensor q = random_tensor({4, 20}, 1);
    q[sender].fill_(std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(
        tested::add_max_messages(torch::zeros({4, 20}, torch::kDouble), q, messages)[3].isnan().all().item<bool>());
  }
}

TEST(AddAttentionMessages, DoNotOverflowForHugeScores) {
  const Graph star = testing::undirected(4, {{0, 3}, {1, 3}, {2, 3}});
  const std::vector<NodeId> anchors = {0, 1, 2};
  const FrontierEdges edges = edges_leaving(star, anchors);
  const Messages messages(edges, 4, MessageFunction::kAttention);
  const torch::Tensor q = random_tensor({4, 3}, 1, torch::kFloat).requires_grad_();
  for (const float receiver_score : {0.0f, 1e6f, -1e6f}) {
    const torch::Tensor sent = torch::tensor({{1e4f}, {-1e4f}, {2e4f}, {0.0f}}).requires_grad_();
    const torch::Tensor received = torch::full({4, 1}, receiver_score).requires_grad_();
    const torch::Tensor out = tested::add_attention_messages(torch::zeros({4, 3}), q, sent, received, messages);
    EXPECT_TRUE(torch::allclose(out[3], q[2]));
    out.sum().backward();
    for (const torch::Tensor& input : {q, sent, received}) EXPECT_TRUE(input.grad().isfinite().all().item<bool>());
  }
}

/// Edges to node 2 from node 0, with weight 0 but by far the largest score, and from node 1.
TEST(AddAttentionMessages, IgnoreEdgesOfWeightZero) {
  for (const float other_weight : {1.5f, 0.0f}) {
    const Graph graph =
        testing::build({.nodes = 3, .directed = true, .arcs = {{0, 2}, {1, 2}}, .weights = {0.0f, other_weight}});
    const std::vector<NodeId> anchors = {0, 1};
    const FrontierEdges edges = edges_leaving(graph, anchors, {.weighted = true});
    const Messages messages(edges, 3, MessageFunction::kAttention);
    const torch::Tensor q = random_tensor({3, 2}, 1, torch::kFloat).requires_grad_();
    const torch::Tensor sent = torch::tensor({{1000.0f}, {-3.0f}, {0.0f}}).requires_grad_();
    const torch::Tensor received = torch::zeros({3, 1}).requires_grad_();
    const torch::Tensor out = tested::add_attention_messages(torch::zeros({3, 2}), q, sent, received, messages);
    EXPECT_TRUE(torch::allclose(out[2], other_weight == 0 ? torch::zeros({2}) : q[1]));
    out.sum().backward();
    EXPECT_TRUE(torch::equal(q.grad()[0], torch::zeros({2})));
    for (const torch::Tensor& input : {q, sent, received}) EXPECT_TRUE(input.grad().isfinite().all().item<bool>());
  }
}

TEST(MessageFunctions, AreParsedByName) {
  for (const std::string_view name : {"mean", "sum", "gcn", "max", "attention"}) {
    EXPECT_EQ(name_of(parse_name<MessageFunction>(name)), name);
  }
  testing::expect_user_error([] { parse_name<MessageFunction>("atention"); }, "\"atention\"", "known: attention");
}

}  // namespace
}  // namespace gir
