#include "gir/graph/graph.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 4096;

/// Calls `use(u, v)` for every pair u < v joined by an arc, for u in [begin, end).
template <typename Use>
void for_each_pair(const Graph& graph, NodeId begin, NodeId end, const Use& use) {
  for (NodeId u = begin; u < end; ++u) {
    const auto out = graph.out_neighbors(u);
    auto next_out = std::upper_bound(out.begin(), out.end(), u);
    if (!graph.directed()) {
      for (; next_out != out.end(); ++next_out) use(u, *next_out);
      continue;
    }
    const auto in = graph.in_neighbors(u);
    auto next_in = std::upper_bound(in.begin(), in.end(), u);
    while (next_out != out.end() || next_in != in.end()) {
      const bool take_out = next_in == in.end() || (next_out != out.end() && *next_out <= *next_in);
      const NodeId v = take_out ? *next_out : *next_in;
      if (next_out != out.end() && *next_out == v) ++next_out;
      if (next_in != in.end() && *next_in == v) ++next_in;
      use(u, v);
    }
  }
}

/// Number of pairs per block of rows.
std::vector<EdgeId> count_pairs(const Graph& graph) {
  std::vector<EdgeId> counts(static_cast<std::size_t>(num_blocks(graph.num_nodes(), kRowsPerBlock)), 0);
  parallel_for(graph.num_nodes(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    EdgeId count = 0;
    for_each_pair(graph, static_cast<NodeId>(begin), static_cast<NodeId>(end), [&](NodeId, NodeId) { ++count; });
    counts[static_cast<std::size_t>(begin / kRowsPerBlock)] = count;
  });
  return counts;
}

}  // namespace

bool Graph::has_arc(NodeId source, NodeId target) const {
  const auto row = out_neighbors(source);
  return std::binary_search(row.begin(), row.end(), target);
}

std::string Graph::fingerprint() const {
  Fingerprint print;
  print.add("directed", directed_);
  print.add("offsets", out_.offsets.span());
  print.add("neighbors", out_.neighbors.span());
  print.add("weights", out_.weights.span());
  print.add("self_loops", self_loops_.span());
  print.add("self_loop_weights", self_loop_weights_.span());
  names_.add_to(print);
  return print.hex();
}

EdgeId count_undirected_edges(const Graph& graph) {
  if (!graph.directed()) return graph.num_arcs() / 2;
  const auto counts = count_pairs(graph);
  return std::accumulate(counts.begin(), counts.end(), EdgeId{0});
}

Array<Arc> undirected_edges(const Graph& graph) {
  auto first = count_pairs(graph);
  const EdgeId total = std::accumulate(first.begin(), first.end(), EdgeId{0});
  std::exclusive_scan(first.begin(), first.end(), first.begin(), EdgeId{0});
  Array<Arc> edges(total);
  parallel_for(graph.num_nodes(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    Arc* next = edges.data() + first[static_cast<std::size_t>(begin / kRowsPerBlock)];
    for_each_pair(graph, static_cast<NodeId>(begin), static_cast<NodeId>(end),
                  [&](NodeId u, NodeId v) { *next++ = {u, v}; });
  });
  return edges;
}

Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes) {
  constexpr NodeId kLeftOut = -1;
  Array<NodeId> new_id(graph.num_nodes(), kLeftOut);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ensure(i == 0 || nodes[i - 1] < nodes[i], "nodes of a subgraph must ascend");
    new_id[nodes[i]] = static_cast<NodeId>(i);
  }
  std::vector<Arc> arcs;
  std::vector<float> weights;
  const auto keep = [&](NodeId u, NodeId v, float weight) {
    if (new_id[u] == kLeftOut || new_id[v] == kLeftOut) return;
    arcs.push_back({new_id[u], new_id[v]});
    if (graph.weighted()) weights.push_back(weight);
  };
  for (const NodeId u : nodes) {
    const auto row = graph.out_neighbors(u);
    const auto row_weights = graph.weighted() ? graph.out().row_weights(u) : std::span<const float>();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (graph.directed() || u < row[i]) keep(u, row[i], graph.weighted() ? row_weights[i] : 1);
    }
  }
  for (std::size_t i = 0; i < graph.self_loops().size(); ++i) {
    const NodeId u = graph.self_loops()[i];
    keep(u, u, graph.weighted() ? graph.self_loop_weights()[i] : 1);
  }
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)),
                      .weights = Array<float>(std::span<const float>(weights)),
                      .directed = graph.directed(),
                      .names = graph.names().subset(nodes)});
}

}  // namespace gir
