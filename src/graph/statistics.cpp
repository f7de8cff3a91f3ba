#include "gir/graph/statistics.h"

#include <algorithm>

#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "gir/graph/components.h"

namespace gir {
namespace {

constexpr std::int64_t kNodesPerBlock = 1 << 14;

Array<EdgeId> total_degrees(const Graph& graph) {
  Array<EdgeId> degrees(graph.num_nodes());
  parallel_for(graph.num_nodes(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      degrees[i] = total_degree(graph, static_cast<NodeId>(i));
    }
  });
  return degrees;
}

/// Reorders `degrees`, which must not be empty.
DegreeQuantiles quantiles(Array<EdgeId>& degrees) {
  const std::int64_t nodes = degrees.size();
  // Quantiles are requested in ascending order: after each selection, the degrees before it are known to be the
  // smallest ones and need not be sorted again.
  std::int64_t sorted = 0;
  const auto at_percent = [&](std::int64_t percent) {
    const std::int64_t rank = std::max<std::int64_t>(0, num_blocks(nodes * percent, 100) - 1);
    std::nth_element(degrees.begin() + sorted, degrees.begin() + rank, degrees.end());
    sorted = rank;
    return degrees[rank];
  };
  DegreeQuantiles result;
  result.minimum = at_percent(0);
  result.percent_25 = at_percent(25);
  result.median = at_percent(50);
  result.percent_75 = at_percent(75);
  result.percent_90 = at_percent(90);
  result.percent_99 = at_percent(99);
  result.maximum = at_percent(100);
  return result;
}

}  // namespace

GraphStatistics graph_statistics(const Graph& graph) {
  GraphStatistics result;
  if (graph.num_nodes() == 0) return result;
  result.nodes = graph.num_nodes();
  result.self_loops = static_cast<std::int64_t>(graph.self_loops().size());
  const EdgeId joined_pairs = count_undirected_edges(graph);
  result.edges = joined_pairs + result.self_loops;
  result.directed_edges = graph.num_arcs() + result.self_loops;

  auto degrees = total_degrees(graph);
  result.isolated_nodes = std::count(degrees.begin(), degrees.end(), 0);
  result.degree = quantiles(degrees);
  const auto nodes = static_cast<double>(result.nodes);
  result.mean_degree = static_cast<double>(graph.num_arcs() * (graph.directed() ? 2 : 1)) / nodes;
  if (result.nodes > 1) result.density = static_cast<double>(joined_pairs) / (nodes * (nodes - 1) / 2);

  const Components components = connected_components(graph);
  result.components = components.count();
  result.largest_component = components.sizes[components.largest()];
  result.diameter = diameter_bounds(graph, components);
  return result;
}

}  // namespace gir
