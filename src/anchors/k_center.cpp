#include "gir/anchors/anchors.h"
#include "nearest_center.h"
#include "ranking.h"

namespace gir {
namespace {

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
