#include "gir/anchors/anchors.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/graph/traversal.h"
#include "gir/io/csv_cell.h"
#include "gir/io/gzip.h"
#include "gir/io/node_lists.h"

namespace gir {
namespace {

/// Adds nodes of `more` that `selection` does not contain, up to `count`.
void fill_up(AnchorSelection& selection, const std::vector<NodeId>& more, std::int64_t count, std::int64_t nodes) {
  std::vector<bool> taken(static_cast<std::size_t>(nodes), false);
  for (const NodeId anchor : selection.anchors) taken[static_cast<std::size_t>(anchor)] = true;
  for (const NodeId candidate : more) {
    if (std::ssize(selection.anchors) == count) return;
    if (!taken[static_cast<std::size_t>(candidate)]) selection.anchors.push_back(candidate);
  }
}

}  // namespace

AnchorSelection select_anchors(const Graph& graph, const AnchorOptions& options) {
  const AnchorStrategy& strategy = Registry<AnchorStrategy>::get(options.strategy);
  const AnchorStrategy* fill = options.fill.empty() ? nullptr : &Registry<AnchorStrategy>::get(options.fill);
  if (graph.num_nodes() == 0) throw UserError("cannot select anchors of a graph without nodes");
  if (options.count < 1 || options.count > graph.num_nodes()) {
    throw UserError("{} anchors were requested, the graph has {} nodes [choose 1 .. {}]", options.count,
                    graph.num_nodes(), graph.num_nodes());
  }
  AnchorSelection selection = strategy.select(graph, options);
  if (fill != nullptr && std::ssize(selection.anchors) < options.count) {
    // Some nodes of the second strategy may be anchors already: request that many more.
    AnchorOptions all = options;
    all.count = std::min(graph.num_nodes(), options.count + std::ssize(selection.anchors));
    fill_up(selection, fill->select(graph, all).anchors, options.count, graph.num_nodes());
  }
  return selection;
}

std::vector<NodeId> read_anchors(const std::filesystem::path& path, const Graph& graph) {
  return read_node_list(path, graph.names());
}

void write_anchors(const std::filesystem::path& path, const Graph& graph, std::span<const NodeId> anchors) {
  TextFileWriter file(path);
  for (const NodeId anchor : anchors) file.line("{}", id_cell(graph.names().name(anchor), '\t'));
  file.commit();
}

AnchorCoverage anchor_coverage(const Graph& graph, std::span<const NodeId> anchors) {
  AnchorCoverage coverage;
  for (const std::int32_t distance : hop_distances(graph, anchors)) {
    if (distance == kUnreachable) {
      ++coverage.unreached;
      continue;
    }
    if (distance >= std::ssize(coverage.by_hop)) coverage.by_hop.resize(static_cast<std::size_t>(distance) + 1, 0);
    ++coverage.by_hop[static_cast<std::size_t>(distance)];
  }
  for (std::size_t i = 1; i < coverage.by_hop.size(); ++i) coverage.by_hop[i] += coverage.by_hop[i - 1];
  coverage.eccentricity = std::max<std::int64_t>(0, std::ssize(coverage.by_hop) - 1);
  return coverage;
}

}  // namespace gir
