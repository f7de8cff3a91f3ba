#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gir/core/array.h"
#include "gir/graph/graph.h"

namespace gir {

/// Distances of all nodes from the nearest of the centres so far, for farthest-first traversals.
class NearestCenter {
 public:
  static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

  explicit NearestCenter(const Graph& graph) : graph_(graph), distance_(graph.num_nodes(), kFar) {}

  /// Adds a centre: a breadth-first search that stops at nodes to which an earlier centre is at least as near.
  void add(NodeId center) {
    queue_.assign(1, center);
    distance_[center] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const NodeId node = queue_[i];
      for (const NodeId next : graph_.out_neighbors(node)) {
        if (distance_[next] <= distance_[node] + 1) continue;
        distance_[next] = distance_[node] + 1;
        queue_.push_back(next);
      }
    }
  }

  /// kFar for nodes that no centre reaches.
  const Array<std::int32_t>& distances() const { return distance_; }

 private:
  const Graph& graph_;
  Array<std::int32_t> distance_;
  std::vector<NodeId> queue_;
};

}  // namespace gir
