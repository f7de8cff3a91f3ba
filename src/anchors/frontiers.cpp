#include "gir/anchors/frontiers.h"

#include <algorithm>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 1 << 10;

/// The nodes for which `keep(node)` is true, ascending. Calls it twice per node: to count, then to fill.
template <typename Keep>
Array<NodeId> nodes_where(std::int64_t nodes, const Keep& keep) {
  std::vector<std::int64_t> starts(static_cast<std::size_t>(num_blocks(nodes, kRowsPerBlock)) + 1, 0);
  const auto for_each_kept = [&](std::int64_t begin, std::int64_t end, const auto& use) {
    for (std::int64_t v = begin; v < end; ++v) {
      if (keep(static_cast<NodeId>(v))) use(static_cast<NodeId>(v));
    }
  };
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for_each_kept(begin, end, [&](NodeId) { ++count; });
    starts[static_cast<std::size_t>(begin / kRowsPerBlock) + 1] = count;
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  Array<NodeId> kept(starts.back());
  parallel_for(nodes, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    NodeId* next = kept.data() + starts[static_cast<std::size_t>(begin / kRowsPerBlock)];
    for_each_kept(begin, end, [&](NodeId node) { *next++ = node; });
  });
  return kept;
}

/// Row offsets from the `length(i)` of every row.
template <typename Length>
Array<EdgeId> row_starts(std::int64_t rows, const Length& length) {
  Array<EdgeId> offsets(rows + 1);
  offsets[0] = 0;
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) offsets[i + 1] = length(i);
  });
  for (std::int64_t i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
  return offsets;
}

/// The messages out of a frontier: who sends to whom, and with which weight.
class Senders {
 public:
  Senders(const Graph& graph, std::span<const NodeId> frontier, const MessageOptions& options)
      : graph_(graph),
        weighted_(options.weighted && graph.weighted()),
        self_messages_(options.self_messages),
        in_frontier_(graph.num_nodes(), 0) {
    for (const NodeId node : frontier) in_frontier_[node] = 1;
  }

  bool weighted() const { return weighted_; }
  bool sends(NodeId node) const { return in_frontier_[node] != 0; }

  /// Calls `use(sender, weight)` for every sender of `node`, ascending, until it returns false.
  template <typename Use>
  void visit_senders(NodeId node, const Use& use) const {
    visit(graph_.in(), node, use, [&](NodeId other) { return sends(other); });
  }

  /// Calls `use(receiver, weight)` for every receiver of `node`, which is in the frontier, ascending.
  template <typename Use>
  void visit_receivers(NodeId node, const Use& use) const {
    visit(graph_.out(), node, use, [](NodeId) { return true; });
  }

  EdgeId num_receivers(NodeId node) const { return graph_.out_degree(node) + (self_messages_ ? 1 : 0); }

 private:
  /// Inserts the node's message to itself, which is no arc, at its place among the neighbours.
  template <typename Use, typename Keep>
  void visit(const Adjacency& adjacency, NodeId node, const Use& use, const Keep& keep) const {
    const auto row = adjacency.row(node);
    bool self_is_due = self_messages_ && sends(node);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (self_is_due && row[i] > node) {
        self_is_due = false;
        if (!use(node, 1.0f)) return;
      }
      if (keep(row[i]) && !use(row[i], weighted_ ? adjacency.row_weights(node)[i] : 1.0f)) return;
    }
    if (self_is_due) use(node, 1.0f);
  }

  const Graph& graph_;
  bool weighted_;
  bool self_messages_;
  Array<std::uint8_t> in_frontier_;
};

/// 1 / the sum of the weights of the messages to `node`.
double inverse_total(const Graph& graph, NodeId node, std::span<const float> weights) {
  double total = 0;
  for (const float weight : weights) {
    if (!(weight >= 0)) {
      throw UserError("node {}: the weight of an edge to it is {} [`weighted` needs weights of at least 0]",
                      quoted(graph.names().name(node)), weight);
    }
    total += weight;
  }
  // The mean over edges of weight 0 is defined as 0.
  return total > 0 ? 1 / total : 0;
}

/// Fills the rows of the receivers.
void fill_receivers(const Graph& graph, const Senders& senders, FrontierEdges& edges) {
  // For the list of receivers it is enough to know that there is a sender.
  const auto count_senders = [&](NodeId node, bool one_is_enough) {
    EdgeId count = 0;
    senders.visit_senders(node, [&](NodeId, float) { return ++count, !one_is_enough; });
    return count;
  };
  edges.receivers = nodes_where(graph.num_nodes(), [&](NodeId node) { return count_senders(node, true) > 0; });
  const std::int64_t rows = edges.receivers.size();
  edges.offsets = row_starts(rows, [&](std::int64_t i) { return count_senders(edges.receivers[i], false); });
  edges.senders = Array<NodeId>(edges.offsets[rows]);
  if (senders.weighted()) edges.weights = Array<float>(edges.offsets[rows]);
  edges.inverse_totals = Array<double>(rows);
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      EdgeId place = edges.offsets[i];
      senders.visit_senders(edges.receivers[i], [&](NodeId sender, float weight) {
        if (senders.weighted()) edges.weights[place] = weight;
        edges.senders[place++] = sender;
        return true;
      });
      const auto count = static_cast<std::size_t>(place - edges.offsets[i]);
      edges.inverse_totals[i] = senders.weighted() ? inverse_total(graph, edges.receivers[i],
                                                                   {edges.weights.data() + edges.offsets[i], count})
                                                   : 1 / static_cast<double>(count);
    }
  });
}

/// Fills the transpose. All out-neighbours of a frontier node are receivers.
void fill_senders(const Graph& graph, const Senders& senders, FrontierEdges& edges) {
  edges.sending_nodes = nodes_where(
      graph.num_nodes(), [&](NodeId node) { return senders.sends(node) && senders.num_receivers(node) > 0; });
  const std::int64_t rows = edges.sending_nodes.size();
  edges.sending_offsets =
      row_starts(rows, [&](std::int64_t i) { return senders.num_receivers(edges.sending_nodes[i]); });
  edges.receiving_nodes = Array<NodeId>(edges.sending_offsets[rows]);
  if (senders.weighted()) edges.sending_weights = Array<float>(edges.sending_offsets[rows]);
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      EdgeId place = edges.sending_offsets[i];
      senders.visit_receivers(edges.sending_nodes[i], [&](NodeId receiver, float weight) {
        if (senders.weighted()) edges.sending_weights[place] = weight;
        edges.receiving_nodes[place++] = receiver;
        return true;
      });
    }
  });
}

}  // namespace

FrontierEdges edges_leaving(const Graph& graph, std::span<const NodeId> frontier, const MessageOptions& options) {
  const Senders senders(graph, frontier, options);
  FrontierEdges edges;
  fill_receivers(graph, senders, edges);
  fill_senders(graph, senders, edges);
  return edges;
}

FrontierPlan FrontierPlan::of_all_nodes(const Graph& graph, std::int64_t layers, bool weighted) {
  std::vector<NodeId> all_nodes(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(all_nodes.begin(), all_nodes.end(), 0);
  return FrontierPlan(graph, all_nodes, layers, {.weighted = weighted, .self_messages = true});
}

FrontierPlan::FrontierPlan(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers,
                           const MessageOptions& options) {
  if (layers < 1) throw UserError("`layers` is {} [use at least 1]", layers);
  Array<NodeId> frontier(anchors);
  std::sort(frontier.begin(), frontier.end());
  for (std::int64_t i = 0; i < frontier.size(); ++i) {
    ensure(frontier[i] >= 0 && frontier[i] < graph.num_nodes() && (i == 0 || frontier[i - 1] < frontier[i]),
           "anchors are distinct nodes");
  }
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const auto known = std::find_if(stages_.begin(), stages_.end(), [&](const auto& stage) {
      return std::ranges::equal(stage->frontier.span(), frontier.span());
    });
    layers_.push_back(static_cast<std::size_t>(known - stages_.begin()));
    if (known == stages_.end()) {
      stages_.push_back(std::make_unique<Stage>());
      stages_.back()->edges = edges_leaving(graph, frontier.span(), options);
      stages_.back()->frontier = std::move(frontier);
    }
    // The receivers of one layer are the senders of the next.
    frontier = edges(layer).receivers.clone();
  }
}

}  // namespace gir
