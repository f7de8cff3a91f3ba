#include "gir/runs/reach.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "gir/graph/components.h"
#include "gir/graph/traversal.h"
#include "gir/runs/experiment.h"

namespace gir {
namespace {

constexpr std::int64_t kSmallestComponent = 3;

/// Whether the vector of every node depends on an anchor; without anchors, on another node.
std::vector<bool> reached_nodes(const Experiment& experiment) {
  const Graph& graph = experiment.message_graph();
  const std::vector<NodeId>& anchors = experiment.anchors().anchors;
  const ModelOptions& shape = experiment.config().shape;
  std::vector<bool> reached(static_cast<std::size_t>(graph.num_nodes()), false);
  if (!experiment.experts().empty()) {
    for (const auto& expert : experiment.experts()) {
      const std::vector<bool> by_expert = reached_nodes(*expert);
      for (std::size_t v = 0; v < reached.size(); ++v) reached[v] = reached[v] || by_expert[v];
    }
    return reached;
  }
  if (anchors.empty()) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) reached[static_cast<std::size_t>(v)] = graph.in_degree(v) > 0;
    return reached;
  }
  const bool any_distance = shape.positions == Positions::kAnchors;  // distances are inputs
  const auto hops = hop_distances(graph, anchors, {.undirected = any_distance});
  for (std::int64_t v = 0; v < graph.num_nodes(); ++v) {
    reached[static_cast<std::size_t>(v)] = hops[v] != kUnreachable && (any_distance || hops[v] <= shape.layers);
  }
  return reached;
}

/// Rows that are equal to another row, by sorting them.
std::int64_t count_identical_rows(const at::Tensor& rows) {
  const at::Tensor values = rows.detach().cpu().contiguous();
  const std::int64_t count = values.size(0);
  const auto bytes = static_cast<std::size_t>(values.size(1)) * sizeof(float);
  const float* first = values.data_ptr<float>();
  const auto row = [&](std::int64_t i) { return first + i * values.size(1); };
  const auto compare = [&](std::int64_t a, std::int64_t b) { return std::memcmp(row(a), row(b), bytes); };
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return compare(a, b) < 0; });
  const auto equal = [&](std::size_t a, std::size_t b) { return compare(order[a], order[b]) == 0; };
  std::int64_t identical = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    identical += (i > 0 && equal(i - 1, i)) || (i + 1 < order.size() && equal(i, i + 1));
  }
  return identical;
}

/// Whether a model, or an expert of a fused one, has labels of all nodes.
bool labels_all_nodes(const Experiment& experiment) {
  const auto& experts = experiment.experts();
  return experiment.model().labels_all_nodes() ||
         std::any_of(experts.begin(), experts.end(), [](const auto& expert) { return labels_all_nodes(*expert); });
}

/// The edges that carry messages.
const char* message_edges(const Experiment& experiment) {
  if (experiment.task() != Task::kLinkPrediction) return "all";
  return experiment.pair_split()->valid().positives.empty() ? "training and validation" : "training";
}

}  // namespace

Reach measure_reach(const Experiment& experiment, const at::Tensor& embeddings) {
  const std::vector<bool> reached = reached_nodes(experiment);
  const Components components = connected_components(experiment.message_graph());
  Reach reach{.identical = count_identical_rows(embeddings),
              .own_labels = labels_all_nodes(experiment),
              .edges = message_edges(experiment)};
  for (std::size_t v = 0; v < reached.size(); ++v) {
    reach.nodes += reached[v];
    const std::int64_t size = components.sizes[components.of_node[static_cast<std::int64_t>(v)]];
    reach.lost += !reached[v] && size >= kSmallestComponent;
  }
  if (!reached.empty()) reach.share = static_cast<double>(reach.nodes) / static_cast<double>(reached.size());
  return reach;
}

}  // namespace gir
