#include <algorithm>

#include "gir/core/error.h"
#include "graph_arrays.h"

namespace gir {
namespace {

/// Whether reading the class numbers alone gives the same classes and names: then `class_names` is not stored.
bool names_follow_from_classes(const Labels& labels) {
  std::vector<bool> occurs(labels.names.size(), false);
  for (const std::int32_t label : labels.classes) {
    if (label != Labels::kNone) occurs[static_cast<std::size_t>(label)] = true;
  }
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    if (!occurs[i] || labels.names[i] != std::to_string(i)) return false;
  }
  return true;
}

std::int64_t length(std::size_t size) { return static_cast<std::int64_t>(size); }

/// Every edge once, an undirected edge with the smaller node first, followed by the self loops.
EdgeInput stored_edges(const Graph& graph) {
  const Adjacency& out = graph.out();
  const auto loops = graph.self_loops();
  const EdgeId edges = graph.directed() ? graph.num_arcs() : graph.num_arcs() / 2;
  EdgeInput input;
  input.arcs = Array<Arc>(edges + length(loops.size()));
  if (graph.weighted()) input.weights = Array<float>(input.arcs.size());
  std::int64_t next = 0;
  const auto add = [&](Arc arc, float weight) {
    input.arcs[next] = arc;
    if (graph.weighted()) input.weights[next] = weight;
    ++next;
  };
  for (std::int64_t u = 0; u < graph.num_nodes(); ++u) {
    for (EdgeId i = out.offsets[u]; i < out.offsets[u + 1]; ++i) {
      const Arc arc{static_cast<NodeId>(u), out.neighbors[i]};
      if (graph.directed() || arc.source < arc.target) add(arc, graph.weighted() ? out.weights[i] : 1);
    }
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    add({loops[i], loops[i]}, graph.weighted() ? graph.self_loop_weights()[i] : 1);
  }
  ensure(next == input.arcs.size(), "an undirected graph must have every arc in both directions");
  return input;
}

}  // namespace

GraphArrays::GraphArrays(const AttributedGraph& graph, const std::string& where) {
  add_graph(graph.graph);
  add_names(graph.graph.names(), where);
  add_features(graph.features);
  if (!graph.labels.empty()) add_labels(graph.labels, where);
  if (graph.split) add_split(*graph.split);
}

void GraphArrays::add_number(const char* name, std::int64_t value) {
  members_.push_back({name, npy_view(std::as_const(numbers_.emplace_back(Array<std::int64_t>{value})).span(), {})});
}

void GraphArrays::add_strings(const char* name, const std::vector<std::string>& values, const std::string& where) {
  members_.push_back({name, strings_.emplace_back(npy_strings(values, where + ": " + name)).view()});
}

void GraphArrays::add_graph(const Graph& graph) {
  edges_ = stored_edges(graph);
  const EdgeId edges = edges_.arcs.size();
  const NodeId* first = edges == 0 ? nullptr : &edges_.arcs.data()->source;
  members_.push_back({"edges", npy_view(std::span(first, static_cast<std::size_t>(2 * edges)), {edges, 2})});
  if (graph.weighted()) members_.push_back({"weights", npy_view(edges_.weights.span(), {edges})});
  add_number("directed", graph.directed());
  add_number("num_nodes", graph.num_nodes());
}

void GraphArrays::add_names(const NodeNames& names, const std::string& where) {
  if (names.kind() == NodeNames::Kind::kPositions) return;
  if (names.kind() == NodeNames::Kind::kStrings) {
    std::vector<std::string> ids;
    for (std::int64_t i = 0; i < names.size(); ++i) ids.push_back(names.name(static_cast<NodeId>(i)));
    add_strings("node_ids", ids, where);
    return;
  }
  Array<std::int64_t> ids(names.size());
  for (std::int64_t i = 0; i < names.size(); ++i) ids[i] = names.integer(static_cast<NodeId>(i));
  members_.push_back({"node_ids", npy_view(numbers_.emplace_back(std::move(ids)).span(), {names.size()})});
}

void GraphArrays::add_features(const Features& features) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    members_.push_back({"features", npy_view(dense->values.span(), {dense->rows, dense->columns})});
  }
  if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    const std::int64_t stored = sparse->values.size();
    members_.push_back({"attr_indptr", npy_view(sparse->offsets.span(), {sparse->rows + 1})});
    members_.push_back({"attr_indices", npy_view(sparse->column_indices.span(), {stored})});
    members_.push_back({"attr_data", npy_view(sparse->values.span(), {stored})});
    const auto shape = numbers_.emplace_back(Array<std::int64_t>{sparse->rows, sparse->columns}).span();
    members_.push_back({"attr_shape", npy_view(shape, {2})});
  }
}

void GraphArrays::add_labels(const Labels& labels, const std::string& where) {
  members_.push_back({"labels", npy_view(labels.classes.span(), {labels.classes.size()})});
  if (!names_follow_from_classes(labels)) add_strings("class_names", labels.names, where);
}

void GraphArrays::add_split(const NodeSplit& split) {
  const auto add = [this](const char* name, const std::vector<NodeId>& nodes) {
    members_.push_back({name, npy_view(std::span<const NodeId>(nodes), {length(nodes.size())})});
  };
  add("train", split.train);
  add("val", split.valid);
  add("test", split.test);
}

}  // namespace gir
