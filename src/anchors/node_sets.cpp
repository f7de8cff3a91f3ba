#include "gir/anchors/node_sets.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gir/core/random.h"
#include "ranking.h"

namespace gir {

void NodeSets::add(std::span<const NodeId> nodes) {
  const auto begin = static_cast<std::ptrdiff_t>(members.size());
  members.insert(members.end(), nodes.begin(), nodes.end());
  std::sort(members.begin() + begin, members.end());
  offsets.push_back(std::ssize(members));
}

NodeSets draw_anchor_sets(std::int64_t nodes, std::uint64_t seed, std::uint64_t draw) {
  NodeSets sets;
  if (nodes < 1) return sets;
  const auto sizes = std::max<std::int64_t>(1, std::bit_width(static_cast<std::uint64_t>(nodes)) - 1);
  Rng rng(seed, "anchors/sets", draw);
  // The pool is not reset between sets: whatever its order, the front of a partial shuffle is a uniform sample.
  std::vector<NodeId> pool(static_cast<std::size_t>(nodes));
  std::iota(pool.begin(), pool.end(), 0);
  for (std::int64_t halvings = 1; halvings <= sizes; ++halvings) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(1, nodes >> halvings));
    for (std::int64_t copy = 0; copy < sizes; ++copy) {
      shuffle_front(pool, size, rng);
      sets.add(std::span(pool).first(size));
    }
  }
  return sets;
}

NodeSets singletons(std::span<const NodeId> nodes) {
  NodeSets sets;
  for (const NodeId& node : nodes) sets.add({&node, 1});
  return sets;
}

}  // namespace gir
