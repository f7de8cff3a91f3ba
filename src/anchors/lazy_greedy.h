#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "gir/core/types.h"
#include "gir/graph/graph.h"
#include "ranking.h"

namespace gir {

/// Lazy greedy selection (Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978):
/// always the node of the largest gain, ties by degree, then by node, until `count` nodes are selected or no gain is
/// left. `gain(node)` returns the current gain, which must not grow when other nodes are selected; `take(node)` selects
/// a node. A gain is recomputed only when its node is at the top of the queue, so that no step scans all nodes.
template <typename Gain, typename Take>
std::vector<NodeId> lazy_greedy(const Graph& graph, std::int64_t count, const Gain& gain, const Take& take) {
  using Candidate = std::tuple<EdgeId, EdgeId, NodeId>;  // gain when last computed, degree, ~node; the largest is first
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
