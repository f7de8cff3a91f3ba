#include "gir/nn/anchor_messages.h"

#include "gir/core/parallel.h"
#include "gir/graph/generators.h"
#include "graph/random_graphs.h"
#include "nn/gradients.h"
#include "nn/tested.h"

namespace gir {
namespace {

using testing::expect_gradients;
using testing::random_tensor;

/// P-GNN's messages on a random graph, and a direct computation from their definition.
struct Case {
  explicit Case(std::uint64_t seed)
      : graph(testing::build(testing::random_lines(seed))),
        sets(draw_anchor_sets(graph.num_nodes(), seed, 0)),
        nearest(NearestMemberSearch(graph).find(sets)),
        messages(nearest, sets) {}

  /// message(v, i) for one node and set.
  torch::Tensor message(NodeId v, std::int64_t set, const torch::Tensor& p, const torch::Tensor& q,
                        const torch::Tensor& scales) const {
    const bool reached = nearest.member(v, set) != kNoMember;
    const NodeId u = reached ? nearest.member(v, set) : sets[set].front();
    const float closeness = reached ? 1.0f / (static_cast<float>(nearest.distance(v, set)) + 1) : 0.0f;
    const auto& known = messages.closeness();
    const auto at = std::find(known.begin(), known.end(), closeness) - known.begin();
    return torch::relu(scales[at] * p[u] + q[v]);
  }

  Graph graph;
  NodeSets sets;
  NearestMembers nearest;
  AnchorMessages messages;
};

/// Numbers of channels that fill one SIMD vector, several, or only a part of one.
std::int64_t some_width(std::uint64_t seed) {
  constexpr std::int64_t kWidths[] = {3, 8, 16, 24, 32, 61};
  return kWidths[seed % std::size(kWidths)];
}

TEST(AnchorMessages, EqualTheirDefinitionOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Case given(seed);
    const std::int64_t nodes = given.graph.num_nodes();
    const std::int64_t width = some_width(seed);
    const auto p = random_tensor({nodes, width}, seed);
    const auto q = random_tensor({nodes, width}, seed + 1);
    const auto scales = random_tensor({std::ssize(given.messages.closeness())}, seed + 2);
    const auto weights = random_tensor({width}, seed + 3);
    const auto mean = tested::mean_anchor_messages(p, q, scales, given.messages);
    const auto positions = tested::anchor_positions(p, q, scales, weights, given.messages);
    for (NodeId v = 0; v < nodes; ++v) {
      torch::Tensor sum = torch::zeros({width}, torch::kDouble);
      for (std::int64_t i = 0; i < given.sets.size(); ++i) {
        const auto message = given.message(v, i, p, q, scales);
        sum += message;
        ASSERT_NEAR(positions[v][i].item<double>(), message.dot(weights).item<double>(), 1e-10);
      }
      ASSERT_TRUE(torch::allclose(mean[v], sum / static_cast<double>(given.sets.size()), 1e-10, 1e-10));
    }
  }
}

TEST(AnchorMessages, HaveTheGradientsOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Case given(seed);
    const std::int64_t nodes = given.graph.num_nodes();
    const std::int64_t width = seed % 2 == 0 ? 3 : 8;
    const std::vector<torch::Tensor> inputs = {random_tensor({nodes, width}, seed),
                                               random_tensor({nodes, width}, seed + 1),
                                               random_tensor({std::ssize(given.messages.closeness())}, seed + 2)};
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) {
          return tested::mean_anchor_messages(x[0], x[1], x[2], given.messages);
        },
        inputs, 1e-5);
    auto with_weights = inputs;
    with_weights.push_back(random_tensor({width}, seed + 3));
    expect_gradients(
        [&](const std::vector<torch::Tensor>& x) {
          return tested::anchor_positions(x[0], x[1], x[2], x[3], given.messages);
        },
        with_weights, 1e-5);
  }
}

TEST(AnchorMessages, HaveTheGradientsOfTheirDefinition) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Case given(seed);
    const std::int64_t nodes = given.graph.num_nodes();
    const std::int64_t width = some_width(seed);
    const auto type = seed % 4 == 3 ? torch::kDouble : torch::kFloat;
    const double tolerance = type == torch::kDouble ? 1e-9 : 1e-4;
    const auto gradients = [&](const auto& forward) {
      std::vector<torch::Tensor> x = {random_tensor({nodes, width}, seed), random_tensor({nodes, width}, seed + 1),
                                      random_tensor({std::ssize(given.messages.closeness())}, seed + 2),
                                      random_tensor({width}, seed + 3)};
      for (auto& tensor : x) tensor = tensor.to(type).requires_grad_();
      forward(x).sin().sum().backward();
      std::vector<torch::Tensor> all;
      for (const auto& tensor : x) all.push_back(tensor.grad());
      return all;
    };
    const auto ours = gradients([&](const auto& x) {
      const auto mean = tested::mean_anchor_messages(x[0], x[1], x[2], given.messages);
      return torch::cat({mean.flatten(), tested::anchor_positions(x[0], x[1], x[2], x[3], given.messages).flatten()});
    });
    const auto naive = gradients([&](const auto& x) {
      std::vector<torch::Tensor> means, positions;
      for (NodeId v = 0; v < nodes; ++v) {
        std::vector<torch::Tensor> received;
        for (std::int64_t i = 0; i < given.sets.size(); ++i) received.push_back(given.message(v, i, x[0], x[1], x[2]));
        means.push_back(torch::stack(received).mean(0));
        positions.push_back(torch::stack(received).mv(x[3]));
      }
      return torch::cat({torch::cat(means), torch::cat(positions)});
    });
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(torch::allclose(ours[i], naive[i], tolerance, 10 * tolerance)) << i << " of " << width;
    }
  }
}

TEST(AnchorMessages, SupportTheLongestDistanceOfATable) {
  const Graph path = generate_graph("path", {{"nodes", 32770}}).graph;
  NodeSets sets;
  const std::vector<NodeId> end = {0};
  sets.add(end);
  const AnchorMessages messages(NearestMemberSearch(path).find(sets), sets);
  EXPECT_EQ(messages.closeness().size(), 32769u) << "0 .. 32767 hops, and no path";
}

TEST(AnchorMessages, AreBitIdenticalOnAnyNumberOfThreads) {
  const Graph graph = testing::build(testing::random_large_lines(1000, 3000, false, 1));
  const NodeSets sets = draw_anchor_sets(1000, 0, 0);
  const NearestMembers nearest = NearestMemberSearch(graph).find(sets);
  const AnchorMessages messages(nearest, sets);
  const auto run = [&](int threads) {
    const ThreadScope count(threads);
    std::vector<torch::Tensor> inputs = {random_tensor({1000, 16}, 0), random_tensor({1000, 16}, 1),
                                         random_tensor({std::ssize(messages.closeness())}, 2), random_tensor({16}, 3)};
    for (auto& input : inputs) input = input.to(torch::kFloat).requires_grad_();
    const auto mean = tested::mean_anchor_messages(inputs[0], inputs[1], inputs[2], messages);
    const auto positions = tested::anchor_positions(inputs[0], inputs[1], inputs[2], inputs[3], messages);
    (mean.pow(2).sum() + positions.pow(2).sum()).backward();
    std::vector<torch::Tensor> all = {mean.detach(), positions.detach()};
    for (const auto& input : inputs) all.push_back(input.grad());
    return all;
  };
  const auto alone = run(1);
  const auto together = run(3);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_TRUE(torch::equal(alone[i], together[i])) << i;
}

}  // namespace
}  // namespace gir
