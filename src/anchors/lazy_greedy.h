#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "gir/core/types.h"
#include "gir/graph/graph.h"
#include "ranking.h"

namespace gir {

/// Takes nodes greedily by a gain that never grows while others are taken: the node of the largest gain, ties by
/// degree, then by node, until `count` are taken or no gain is left. `gain(node)` tells the gain now;
/// `take(node)` makes it so. A gain is computed anew only when its node could be next, so there is no scan of
/// all nodes per pick.
template <typename Gain, typename Take>
std::vector<NodeId> lazy_greedy(const Graph& graph, std::int64_t count, const Gain& gain, const Take& take) {
  using Candidate = std::tuple<EdgeId, EdgeId, NodeId>;  // gain when last looked at, degree, ~node: the larger first
  std::vector<Candidate> start;
  start.reserve(static_cast<std::size_t>(graph.num_nodes()));
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    start.emplace_back(gain(node), total_degree(graph, node), ~node);
  }
  std::priority_queue<Candidate> candidates(std::less<Candidate>(), std::move(start));
  std::vector<NodeId> taken;
  while (!candidates.empty() && std::ssize(taken) < count) {
    const auto [old_gain, degree, flipped] = candidates.top();
    candidates.pop();
    const EdgeId now = gain(~flipped);
    if (now == 0) continue;
    if (now < old_gain) {
      candidates.emplace(now, degree, flipped);
      continue;
    }
    take(~flipped);
    taken.push_back(~flipped);
  }
  return taken;
}

}  // namespace gir
