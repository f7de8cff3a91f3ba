#include "gir/graph/graph.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 4096;

/// Calls `use(u, v)` for every pair u < v joined by an arc in either direction, for u in [begin, end).
template <typename Use>
void for_each_pair(const Graph& graph, NodeId begin, NodeId end, const Use& use) {
  for (NodeId u = begin; u < end; ++u) {
    const auto out = graph.out_neighbors(u);
    auto next_out = std::upper_bound(out.begin(), out.end(), u);
    if (!graph.directed()) {
      for (; next_out != out.end(); ++next_out) use(u, *next_out);
      continue;
    }
    // Merge of two sorted lists: a pair joined in both directions is reported once.
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

/// Calls `use(source, target, weight)` for every edge as build_graph() takes it: an undirected edge once, self loops
/// included. The weight is 1 where the graph is not weighted.
template <typename Use>
void for_each_edge(const Graph& graph, const Use& use) {
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.out_neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!graph.directed() && row[i] < u) continue;
      use(u, row[i], graph.weighted() ? graph.out().row_weights(u)[i] : 1.0f);
    }
  }
  for (std::size_t i = 0; i < graph.self_loops().size(); ++i) {
    const NodeId u = graph.self_loops()[i];
    use(u, u, graph.weighted() ? graph.self_loop_weights()[i] : 1.0f);
  }
}

/// Collects the edges of a graph that is derived from another; weighted and (by default) directed like that one.
class EdgeCollector {
 public:
  explicit EdgeCollector(const Graph& like) : EdgeCollector(like, like.directed()) {}
  EdgeCollector(const Graph& like, bool directed) : directed_(directed), weighted_(like.weighted()) {}

  void add(NodeId source, NodeId target, float weight) {
    arcs_.push_back({source, target});
    if (weighted_) weights_.push_back(weight);
  }

  Graph build(NodeNames names) const {
    return build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs_)),
                        .weights = Array<float>(std::span<const float>(weights_)),
                        .directed = directed_,
                        .names = std::move(names)});
  }

 private:
  bool directed_;
  bool weighted_;
  std::vector<Arc> arcs_;
  std::vector<float> weights_;
};

}  // namespace

bool Graph::has_arc(NodeId source, NodeId target) const {
  const auto row = out_neighbors(source);
  return std::binary_search(row.begin(), row.end(), target);
}

std::string Graph::fingerprint() const {
  // in_ is the transpose of out_ and adds nothing. The names and order of these entries are stored in run folders
  // through their hash: they must not change.
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
    for_each_pair(graph, static_cast<NodeId>(begin), static_cast<NodeId>(end), [&](NodeId u, NodeId v) {
      *next++ = {u, v};
    });
  });
  return edges;
}

Graph Graph::clone() const {
  Graph copy;
  copy.directed_ = directed_;
  copy.weighted_ = weighted_;
  copy.out_ = out_.clone();
  copy.in_ = in_.clone();
  copy.self_loops_ = self_loops_.clone();
  copy.self_loop_weights_ = self_loop_weights_.clone();
  copy.names_ = names_.clone();
  return copy;
}

Graph as_undirected(const Graph& graph) {
  EdgeCollector edges(graph, /*directed=*/false);
  for_each_edge(graph, [&](NodeId u, NodeId v, float weight) { edges.add(u, v, weight); });
  return edges.build(graph.names().clone());
}

Graph filter_edges(const Graph& graph, const std::function<bool(NodeId, NodeId)>& keep) {
  EdgeCollector kept(graph);
  for_each_edge(graph, [&](NodeId u, NodeId v, float weight) {
    if (keep(u, v)) kept.add(u, v, weight);
  });
  return kept.build(graph.names().clone());
}

Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes) {
  constexpr NodeId kOutside = -1;
  Array<NodeId> new_id(graph.num_nodes(), kOutside);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ensure(i == 0 || nodes[i - 1] < nodes[i], "nodes of a subgraph must ascend");
    new_id[nodes[i]] = static_cast<NodeId>(i);
  }
  EdgeCollector kept(graph);
  for_each_edge(graph, [&](NodeId u, NodeId v, float weight) {
    if (new_id[u] != kOutside && new_id[v] != kOutside) kept.add(new_id[u], new_id[v], weight);
  });
  return kept.build(graph.names().subset(nodes));
}

}  // namespace gir
