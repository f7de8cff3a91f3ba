#pragma once

#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gir/anchors/frontiers.h"
#include "gir/nn/messages.h"
#include "graph/random_graphs.h"

namespace gir::testing {

inline constexpr std::array kLinearFunctions = {MessageFunction::kMean, MessageFunction::kSum, MessageFunction::kGcn};

/// One layer on a random graph.
struct MessageCase {
  Graph graph;
  std::vector<NodeId> frontier;  ///< ascending
  bool weighted = false;
  bool self_messages = false;
};

inline MessageCase random_case(std::uint64_t seed) {
  EdgeLines lines = random_lines(seed);
  for (float& weight : lines.weights) weight = std::abs(weight);
  MessageCase result{.graph = build(lines), .frontier = {}, .weighted = seed % 3 != 0, .self_messages = seed % 5 == 0};
  Rng rng(seed, "test/frontier");
  for (NodeId v = 0; v < result.graph.num_nodes(); ++v) {
    if (seed % 7 == 0 || rng.below(2) == 0) result.frontier.push_back(v);
  }
  return result;
}

inline FrontierEdges edges_of(const MessageCase& given) {
  return edges_leaving(given.graph, given.frontier, {.weighted = given.weighted, .self_messages = given.self_messages});
}

/// The weight of u's message to v at [v][u]: 1 for unweighted edges, 0 if there is no message. Computed directly from
/// the definition.
inline torch::Tensor message_weights(const MessageCase& given, bool weighted) {
  const Graph& graph = given.graph;
  const auto sends = [&](NodeId u) { return std::binary_search(given.frontier.begin(), given.frontier.end(), u); };
  const auto weight_of = [&](NodeId u, NodeId v) {
    if (u == v) return given.self_messages && sends(u) ? 1.0 : 0.0;
    if (!sends(u) || !graph.has_arc(u, v)) return 0.0;
    const auto row = graph.out_neighbors(u);
    const auto at = static_cast<std::size_t>(std::lower_bound(row.begin(), row.end(), v) - row.begin());
    return weighted && graph.weighted() ? static_cast<double>(graph.out().row_weights(u)[at]) : 1.0;
  };
  const std::int64_t nodes = graph.num_nodes();
  torch::Tensor matrix = torch::zeros({nodes, nodes}, torch::kDouble);
  for (NodeId u = 0; u < nodes; ++u) {
    for (NodeId v = 0; v < nodes; ++v) matrix.data_ptr<double>()[v * nodes + u] = weight_of(u, v);
  }
  return matrix;
}

/// The message matrix of a linear function, dense.
inline torch::Tensor message_matrix(const MessageCase& given, MessageFunction function) {
  const torch::Tensor matrix = message_weights(given, given.weighted);
  const auto inverse = [](const torch::Tensor& x) { return torch::where(x > 0, 1 / x, torch::zeros_like(x)); };
  const torch::Tensor received = inverse(matrix.sum(1));
  const torch::Tensor sent = inverse(matrix.sum(0));
  if (function == MessageFunction::kMean) return received.unsqueeze(1) * matrix;
  if (function == MessageFunction::kGcn) return received.sqrt().unsqueeze(1) * matrix * sent.sqrt();
  return matrix;
}

}  // namespace gir::testing
