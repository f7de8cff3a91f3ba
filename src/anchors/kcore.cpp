#include "gir/anchors/anchors.h"
#include "ranking.h"

namespace gir {
namespace {

/// The largest k for which a node is in a subgraph whose nodes all have k edges: nodes are taken off in the
/// order of their degrees, kept sorted by counting. O(nodes + edges).
Array<EdgeId> core_numbers(const Graph& graph) {
  const std::int64_t nodes = graph.num_nodes();
  Array<EdgeId> left(nodes);
  EdgeId most = 0;
  for (NodeId v = 0; v < nodes; ++v) most = std::max(most, left[v] = total_degree(graph, v));
  // order: nodes by what is left of their degree; place: where a node stands in it; first: where a degree begins.
  std::vector<std::int64_t> first(static_cast<std::size_t>(most) + 2, 0);
  for (const EdgeId degree : left) ++first[static_cast<std::size_t>(degree) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  Array<NodeId> order(nodes);
  Array<std::int64_t> place(nodes);
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for (NodeId v = 0; v < nodes; ++v) order[place[v] = next[static_cast<std::size_t>(left[v])]++] = v;

  const auto lower = [&](NodeId v, EdgeId core) {
    if (left[v] <= core) return;
    // v changes places with the first node of its degree, which then begins one place later.
    const std::int64_t begin = first[static_cast<std::size_t>(left[v])]++;
    const NodeId other = order[begin];
    std::swap(order[place[v]], order[begin]);
    std::swap(place[v], place[other]);
    --left[v];
  };
  for (std::int64_t i = 0; i < nodes; ++i) {
    const NodeId v = order[i];
    const EdgeId core = left[v];
    first[static_cast<std::size_t>(core)] = i + 1;
    for (const NodeId u : graph.out_neighbors(v)) lower(u, core);
    if (!graph.directed()) continue;
    for (const NodeId u : graph.in_neighbors(v)) lower(u, core);
  }
  return left;
}

AnchorSelection select_by_core(const Graph& graph, const AnchorOptions& options) {
  return {.anchors = highest(graph, core_numbers(graph), options.count), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> kcore{{
    .name = "kcore",
    .summary = "the nodes of the innermost cores (largest core number)",
    .select = select_by_core,
}};

}  // namespace
}  // namespace gir
