#include "gir/anchors/anchors.h"
#include "lazy_greedy.h"

namespace gir {
namespace {

/// Degree centrality with respect to coverage: repeatedly selects the node that covers the most nodes that are not yet
/// covered (itself and its out-neighbours), until all nodes are covered. The papers on A-GNN and GIR name the strategy
/// but give no algorithm; this is ours.
AnchorSelection select_ga_mpca(const Graph& graph, const AnchorOptions& options) {
  std::vector<bool> covered(static_cast<std::size_t>(graph.num_nodes()), false);
  const auto is_open = [&](NodeId node) { return !covered[static_cast<std::size_t>(node)]; };
  const auto gain = [&](NodeId node) {
    EdgeId open = is_open(node);
    for (const NodeId neighbor : graph.out_neighbors(node)) open += is_open(neighbor);
    return open;
  };
  const auto take = [&](NodeId node) {
    covered[static_cast<std::size_t>(node)] = true;
    for (const NodeId neighbor : graph.out_neighbors(node)) covered[static_cast<std::size_t>(neighbor)] = true;
  };
  AnchorSelection selection{.anchors = lazy_greedy(graph, options.count, gain, take), .restricted = false, .notes = {}};
  selection.restricted = std::ssize(selection.anchors) < options.count;
  return selection;
}

const Registered<AnchorStrategy> ga_mpca{{
    .name = "ga-mpca",
    .summary = "repeatedly the node that covers the most uncovered nodes, until all are covered (default)",
    .select = select_ga_mpca,
}};

}  // namespace
}  // namespace gir
