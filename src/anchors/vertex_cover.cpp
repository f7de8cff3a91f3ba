#include "gir/anchors/anchors.h"
#include "lazy_greedy.h"

namespace gir {
namespace {

/// Calls `use(neighbor)` for every neighbour of `node`, whatever the direction of the edge.
template <typename Use>
void for_each_neighbor(const Graph& graph, NodeId node, const Use& use) {
  for (const NodeId neighbor : graph.out_neighbors(node)) use(neighbor);
  if (!graph.directed()) return;
  for (const NodeId neighbor : graph.in_neighbors(node)) use(neighbor);
}

/// Makes a cover minimal: removes nodes whose edges are covered by the others, the last selected first.
void remove_redundant_nodes(const Graph& graph, std::vector<NodeId>& cover) {
  std::vector<bool> chosen(static_cast<std::size_t>(graph.num_nodes()), false);
  for (const NodeId node : cover) chosen[static_cast<std::size_t>(node)] = true;
  for (auto node = cover.rbegin(); node != cover.rend(); ++node) {
    bool redundant = true;
    for_each_neighbor(graph, *node, [&](NodeId neighbor) { redundant &= chosen[static_cast<std::size_t>(neighbor)]; });
    if (redundant) chosen[static_cast<std::size_t>(*node)] = false;
  }
  std::erase_if(cover, [&](NodeId node) { return !chosen[static_cast<std::size_t>(node)]; });
}

AnchorSelection select_vertex_cover(const Graph& graph, const AnchorOptions& options) {
  std::vector<bool> chosen(static_cast<std::size_t>(graph.num_nodes()), false);
  const auto gain = [&](NodeId node) {
    EdgeId uncovered = 0;
    for_each_neighbor(graph, node, [&](NodeId neighbor) { uncovered += !chosen[static_cast<std::size_t>(neighbor)]; });
    return uncovered;
  };
  const auto take = [&](NodeId node) { chosen[static_cast<std::size_t>(node)] = true; };
  AnchorSelection selection{.anchors = lazy_greedy(graph, options.count, gain, take), .restricted = false, .notes = {}};
  if (std::ssize(selection.anchors) < options.count) {
    selection.restricted = true;
    remove_redundant_nodes(graph, selection.anchors);
  }
  return selection;
}

const Registered<AnchorStrategy> vertex_cover{{
    .name = "vertex-cover",
    .summary = "the nodes with the most uncovered edges; a minimal vertex cover where the count allows it",
    .select = select_vertex_cover,
}};

}  // namespace
}  // namespace gir
