#include "gir/graph/components.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kNodesPerBlock = 1 << 12;
constexpr std::size_t kFirstNeighbors = 2;

/// Calls `use(node)` for every node, in parallel.
template <typename Use>
void for_each_node(std::int64_t nodes, const Use& use) {
  parallel_for(nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) use(static_cast<NodeId>(v));
  });
}

/// Concurrent disjoint sets (union-find). A node's parent is never larger than the node, so that the root of a finished
/// set is its smallest node, whatever the order of the joins.
class DisjointSets {
 public:
  explicit DisjointSets(std::int64_t nodes) : parents_(nodes) {
    for_each_node(nodes, [this](NodeId node) { parents_[node] = node; });
  }

  NodeId root(NodeId node) {
    for (NodeId up = parent(node); up != node; up = parent(node)) {
      const NodeId above = parent(up);
      // Path halving without a lock: a slower thread may store an older ancestor here. That is still an ancestor; the
      // path is only longer.
      std::atomic_ref(parents_[node]).store(above, std::memory_order_relaxed);
      node = above;
    }
    return node;
  }

  void join(NodeId a, NodeId b) {
    // The exchange fails where another thread has joined `a` to another set in the meantime: start again.
    for (;;) {
      a = root(a);
      b = root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      NodeId still_root = a;
      if (std::atomic_ref(parents_[a]).compare_exchange_strong(still_root, b, std::memory_order_relaxed)) return;
    }
  }

  /// Makes every node's parent its root.
  void flatten() {
    for_each_node(parents_.size(), [this](NodeId node) {
      // Writes to its own node only: path halving on other nodes could overwrite a final root with an older ancestor.
      NodeId top = node;
      for (NodeId up = parent(top); up != top; up = parent(top)) top = up;
      std::atomic_ref(parents_[node]).store(top, std::memory_order_relaxed);
    });
  }

  NodeId parent(NodeId node) { return std::atomic_ref(parents_[node]).load(std::memory_order_relaxed); }
  Array<NodeId> take_parents() && { return std::move(parents_); }

 private:
  Array<NodeId> parents_;
};

/// The most frequent root among a sample of nodes: that of the giant component, if there is one.
NodeId most_frequent_root(DisjointSets& sets, std::int64_t nodes) {
  constexpr std::int64_t kSamples = 1024;
  std::vector<NodeId> roots;
  for (std::int64_t i = 0; i < kSamples; ++i) roots.push_back(sets.parent(static_cast<NodeId>(i * nodes / kSamples)));
  std::sort(roots.begin(), roots.end());
  NodeId most_frequent = roots.front();
  std::ptrdiff_t frequency = 0;
  for (auto run = roots.begin(); run != roots.end();) {
    const auto end = std::upper_bound(run, roots.end(), *run);
    if (end - run > frequency) {
      frequency = end - run;
      most_frequent = *run;
    }
    run = end;
  }
  return most_frequent;
}

/// Replaces every node's root, in place, by the number of its component; returns the number of components. The entry of
/// a root holds ~number (which is negative) until all nodes of the component have read it.
std::int64_t number_components(Array<NodeId>& roots) {
  const std::int64_t nodes = roots.size();
  std::vector<std::int64_t> first_number(static_cast<std::size_t>(num_blocks(nodes, kNodesPerBlock)) + 1, 0);
  parallel_for(nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (std::int64_t v = begin; v < end; ++v) count += roots[v] == v;
    first_number[static_cast<std::size_t>(begin / kNodesPerBlock) + 1] = count;
  });
  for (std::size_t i = 1; i < first_number.size(); ++i) first_number[i] += first_number[i - 1];
  parallel_for(nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    auto number = static_cast<std::int32_t>(first_number[static_cast<std::size_t>(begin / kNodesPerBlock)]);
    for (std::int64_t v = begin; v < end; ++v) {
      if (roots[v] == v) roots[v] = ~number++;
    }
  });
  for_each_node(nodes, [&](NodeId v) {
    if (roots[v] >= 0) roots[v] = ~roots[roots[v]];
  });
  for_each_node(nodes, [&](NodeId v) {
    if (roots[v] < 0) roots[v] = ~roots[v];
  });
  return first_number.back();
}

}  // namespace

std::int32_t Components::largest() const {
  ensure(!sizes.empty(), "a graph without nodes has no component");
  return static_cast<std::int32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
}

Components connected_components(const Graph& graph) {
  const std::int64_t nodes = graph.num_nodes();
  if (nodes == 0) return {};
  DisjointSets sets(nodes);
  // Afforest (Sutton, Ben-Nun and Barak, "Optimizing parallel graph connectivity computation via subgraph sampling",
  // 2018): a few edges per node usually suffice to find the giant component. The other edges of its nodes can be
  // skipped, because an edge that leaves it is seen from its other end.
  for_each_node(nodes, [&](NodeId u) {
    const auto row = graph.out_neighbors(u);
    for (const NodeId v : row.first(std::min(row.size(), kFirstNeighbors))) sets.join(u, v);
  });
  sets.flatten();
  const NodeId giant = most_frequent_root(sets, nodes);
  for_each_node(nodes, [&](NodeId u) {
    if (sets.parent(u) == giant) return;
    const auto row = graph.out_neighbors(u);
    for (const NodeId v : row.subspan(std::min(row.size(), kFirstNeighbors))) sets.join(u, v);
    if (!graph.directed()) return;
    for (const NodeId v : graph.in_neighbors(u)) sets.join(u, v);
  });
  sets.flatten();

  Components components;
  components.of_node = std::move(sets).take_parents();
  components.sizes = Array<std::int64_t>(number_components(components.of_node), 0);
  for (const std::int32_t component : components.of_node) ++components.sizes[component];
  return components;
}

}  // namespace gir
