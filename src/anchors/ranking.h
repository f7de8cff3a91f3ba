#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gir/core/random.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

/// The `count` nodes of the highest score; ties are broken by higher degree, then by lower node. O(nodes log count).
template <typename Scores>
std::vector<NodeId> highest(const Graph& graph, const Scores& score, std::int64_t count) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto before = [&](NodeId a, NodeId b) {
    if (score[a] != score[b]) return score[a] > score[b];
    const EdgeId degree_a = total_degree(graph, a);
    const EdgeId degree_b = total_degree(graph, b);
    return degree_a != degree_b ? degree_a > degree_b : a < b;
  };
  const auto end = nodes.begin() + std::min<std::int64_t>(count, graph.num_nodes());
  std::partial_sort(nodes.begin(), end, nodes.end(), before);
  nodes.erase(end, nodes.end());
  return nodes;
}

/// Partial shuffle: makes the first `count` items of `nodes` a uniform sample of all of them, in random order.
inline void shuffle_front(std::vector<NodeId>& nodes, std::size_t count, Rng& rng) {
  for (std::size_t i = 0; i < count; ++i) std::swap(nodes[i], nodes[i + rng.below(nodes.size() - i)]);
}

/// `count` distinct nodes at random, in random order.
inline std::vector<NodeId> draw_nodes(std::int64_t nodes, std::int64_t count, Rng rng) {
  std::vector<NodeId> drawn(static_cast<std::size_t>(nodes));
  std::iota(drawn.begin(), drawn.end(), 0);
  shuffle_front(drawn, static_cast<std::size_t>(count), rng);
  drawn.resize(static_cast<std::size_t>(count));
  return drawn;
}

}  // namespace gir
