#include <limits>

#include "gir/anchors/anchors.h"
#include "ranking.h"

namespace gir {
namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

/// Distances from the nearest of the centres so far.
class NearestCenter {
 public:
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

  const Array<std::int32_t>& distances() const { return distance_; }

 private:
  const Graph& graph_;
  Array<std::int32_t> distance_;
  std::vector<NodeId> queue_;
};

/// Farthest-first traversal (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985): the node of
/// the highest degree, then always the node farthest from all selected ones (unreachable nodes are farthest), ties by
/// degree, then by node.
AnchorSelection select_k_center(const Graph& graph, const AnchorOptions& options) {
  AnchorSelection selection;
  NearestCenter nearest(graph);
  while (std::ssize(selection.anchors) < options.count) {
    const NodeId farthest = highest(graph, nearest.distances(), 1).front();
    if (nearest.distances()[farthest] == 0) break;
    selection.anchors.push_back(farthest);
    nearest.add(farthest);
  }
  return selection;
}

const Registered<AnchorStrategy> k_center{{
    .name = "k-center",
    .summary = "farthest-first traversal: always the node farthest from the anchors so far",
    .select = select_k_center,
}};

}  // namespace
}  // namespace gir
