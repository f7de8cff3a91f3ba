#include "gir/anchors/frontiers.h"

#include <algorithm>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 1 << 10;

/// The nodes for which `keep(node)` says yes, ascending.
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

/// Row starts from `length(i)` of every row.
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

/// What every receiver receives from the nodes that are `in_frontier`.
void fill_receivers(const Graph& graph, const Array<std::uint8_t>& in_frontier, FrontierEdges& edges) {
  const auto senders_of = [&](NodeId node) {
    const auto row = graph.in_neighbors(node);
    return std::count_if(row.begin(), row.end(), [&](NodeId u) { return in_frontier[u] != 0; });
  };
  const auto receives = [&](NodeId node) {
    const auto row = graph.in_neighbors(node);
    return std::any_of(row.begin(), row.end(), [&](NodeId u) { return in_frontier[u] != 0; });
  };
  edges.receivers = nodes_where(graph.num_nodes(), receives);
  const std::int64_t rows = edges.receivers.size();
  edges.offsets = row_starts(rows, [&](std::int64_t i) { return senders_of(edges.receivers[i]); });
  edges.senders = Array<NodeId>(edges.offsets[rows]);
  if (graph.weighted()) edges.weights = Array<float>(edges.offsets[rows]);
  edges.inverse_counts = Array<float>(rows);
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const NodeId node = edges.receivers[i];
      const auto row = graph.in_neighbors(node);
      EdgeId place = edges.offsets[i];
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (in_frontier[row[k]] == 0) continue;
        if (graph.weighted()) edges.weights[place] = graph.in().row_weights(node)[k];
        edges.senders[place++] = row[k];
      }
      edges.inverse_counts[i] = 1.0f / static_cast<float>(edges.offsets[i + 1] - edges.offsets[i]);
    }
  });
}

/// Where every sending node's messages go. All out-neighbours of a frontier node receive.
void fill_senders(const Graph& graph, const Array<std::uint8_t>& in_frontier, FrontierEdges& edges) {
  Array<std::int32_t> row_of(graph.num_nodes());
  parallel_for(edges.receivers.size(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) row_of[edges.receivers[i]] = static_cast<std::int32_t>(i);
  });
  edges.sending_nodes =
      nodes_where(graph.num_nodes(), [&](NodeId node) { return in_frontier[node] != 0 && graph.out_degree(node) > 0; });
  const std::int64_t rows = edges.sending_nodes.size();
  edges.sending_offsets = row_starts(rows, [&](std::int64_t i) { return graph.out_degree(edges.sending_nodes[i]); });
  edges.receiver_rows = Array<std::int32_t>(edges.sending_offsets[rows]);
  if (graph.weighted()) edges.sending_weights = Array<float>(edges.sending_offsets[rows]);
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const NodeId node = edges.sending_nodes[i];
      const EdgeId start = edges.sending_offsets[i];
      const auto row = graph.out_neighbors(node);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const EdgeId place = start + static_cast<EdgeId>(k);
        edges.receiver_rows[place] = row_of[row[k]];
        if (graph.weighted()) edges.sending_weights[place] = graph.out().row_weights(node)[k];
      }
    }
  });
}

FrontierEdges edges_leaving(const Graph& graph, std::span<const NodeId> frontier) {
  Array<std::uint8_t> in_frontier(graph.num_nodes(), 0);
  for (const NodeId node : frontier) in_frontier[node] = 1;
  FrontierEdges edges;
  fill_receivers(graph, in_frontier, edges);
  fill_senders(graph, in_frontier, edges);
  return edges;
}

}  // namespace

FrontierPlan::FrontierPlan(const Graph& graph, std::span<const NodeId> anchors, std::int64_t layers) {
  if (layers < 1) throw UserError("{} layers were asked for [at least 1]", layers);
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
      stages_.back()->edges = edges_leaving(graph, frontier.span());
      stages_.back()->frontier = std::move(frontier);
    }
    // Whoever receives sends next.
    frontier = edges(layer).receivers.clone();
  }
}

}  // namespace gir
