#include <limits>

#include "gir/anchors/anchors.h"
#include "ranking.h"

namespace gir {
namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

/// Hops from the nearest of the centres so far.
class NearestCenter {
 public:
  explicit NearestCenter(const Graph& graph) : graph_(graph), distance_(graph.num_nodes(), kFar) {}

  /// A search that stops where an older centre is as near.
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

/// Farthest first: the best connected node, then always the node farthest from all chosen (unreachable is
/// farthest of all), ties by degree, then by node.
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
    .summary = "farthest first: always the node farthest from all anchors so far",
    .select = select_k_center,
}};

}  // namespace
}  // namespace gir
