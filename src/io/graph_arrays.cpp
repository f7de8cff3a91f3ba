#include "graph_arrays.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "node_arrays.h"
#include "sparse_rows.h"

namespace gir {
namespace {

constexpr std::int64_t kArcsPerBlock = 1 << 16;

/// The rows of an edges array as arcs; their range is not checked. Makes one copy.
Array<Arc> to_arcs(const NpyArray& edges) {
  const auto& shape = edges.shape();
  if (shape.size() != 2 || shape[1] != 2) {
    const bool is_transposed = shape.size() == 2 && shape[0] == 2;
    throw UserError("{}: has shape {}, expected one row of two nodes per edge{}", edges.where(), edges.shape_text(),
                    is_transposed ? " [save the transpose]" : "");
  }
  static_assert(sizeof(Arc) == 2 * sizeof(NodeId));
  Array<Arc> arcs(shape[0]);
  if (!arcs.empty()) edges.copy_to(std::span<NodeId>(&arcs.data()->source, static_cast<std::size_t>(edges.size())));
  return arcs;
}

std::int64_t largest_end(const Array<Arc>& arcs) {
  std::vector<NodeId> largest(static_cast<std::size_t>(num_blocks(arcs.size(), kArcsPerBlock)), -1);
  parallel_for(arcs.size(), kArcsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    NodeId& mine = largest[static_cast<std::size_t>(begin / kArcsPerBlock)];
    for (std::int64_t i = begin; i < end; ++i) mine = std::max({mine, arcs[i].source, arcs[i].target});
  });
  return largest.empty() ? -1 : *std::max_element(largest.begin(), largest.end());
}

void check_ends(const Array<Arc>& arcs, std::int64_t nodes, const std::string& where) {
  parallel_for(arcs.size(), kArcsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Arc arc = arcs[i];
      const auto is_node = [nodes](NodeId node) { return node >= 0 && node < nodes; };
      if (is_node(arc.source) && is_node(arc.target)) continue;
      throw UserError("{}: row {} joins {} and {}, nodes are 0 .. {} [count nodes from 0]", where, i, arc.source,
                      arc.target, nodes - 1);
    }
  });
}

Array<float> read_weights(const ArraySource& source, std::int64_t edges) {
  const NpyArray array = source.read("weights");
  if (array.shape() != std::vector<std::int64_t>{edges}) {
    throw UserError("{}: has shape {}, one weight for each of the {} edges was expected", array.where(),
                    array.shape_text(), edges);
  }
  Array<float> weights = array.to<float>();
  check_finite(weights.span(), array);
  return weights;
}

bool read_directed(const ArraySource& source) {
  if (!source.has("directed")) return false;
  const NpyArray array = source.read("directed");
  const std::int64_t value = array.to_integer();
  if (value != 0 && value != 1) throw UserError("{}: is {}, 0 or 1 was expected", array.where(), value);
  return value == 1;
}

/// Whether a directed graph has every arc in both directions, with equal weights.
bool is_symmetric(const Graph& graph) {
  const auto equal = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  return equal(graph.out().offsets, graph.in().offsets) && equal(graph.out().neighbors, graph.in().neighbors) &&
         equal(graph.out().weights, graph.in().weights);
}

/// The number of nodes; where no other array determines it, the edges do. Checks the edges against it.
std::int64_t determine_nodes(NodeCount& count, const Array<Arc>& arcs, const std::string& where) {
  if (!count.known()) count.claim(largest_end(arcs) + 1, where);
  check_ends(arcs, count.nodes(), where);
  return count.nodes();
}

}  // namespace

bool ArraySource::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

AttributedGraph read_edge_arrays(const ArraySource& source, const ReadOptions& options) {
  NodeCount count(options);
  if (source.has("num_nodes")) {
    const NpyArray array = source.read("num_nodes");
    count.claim(array.to_integer(), array.where());
  }
  NodeArrays about = read_node_arrays(source, count);
  EdgeInput input;
  {
    // A scope of its own: the array is freed before the graph is built.
    const NpyArray edges = source.read("edges");
    input.arcs = to_arcs(edges);
    determine_nodes(count, input.arcs, edges.where());
  }
  if (source.has("weights")) input.weights = read_weights(source, input.arcs.size());
  input.directed = options.directed ? *options.directed : read_directed(source);
  return attribute(std::move(input), std::move(about), count);
}

AttributedGraph read_edge_array(const NpyArray& edges, const ReadOptions& options) {
  NodeCount count(options);
  EdgeInput input;
  input.arcs = to_arcs(edges);
  input.directed = options.directed.value_or(false);
  determine_nodes(count, input.arcs, edges.where());
  return attribute(std::move(input), {}, count);
}

AttributedGraph read_adjacency(AdjacencyInput input, const ArraySource& source, const ReadOptions& options) {
  NodeCount count(options);
  count.claim(input.nodes, source.where);
  NodeArrays about = read_node_arrays(source, count);
  check_ends(input.arcs, count.nodes(), source.where);
  const bool weighted =
      std::any_of(input.weights.begin(), input.weights.end(), [](float weight) { return weight != 1; });
  EdgeInput edges;
  edges.arcs = std::move(input.arcs);
  if (weighted) edges.weights = std::move(input.weights);
  // Built as a directed graph first: its two directions are sorted rows, which makes the test for symmetry simple.
  edges.directed = options.directed.value_or(true);
  AttributedGraph result = attribute(std::move(edges), std::move(about), count);
  if (!options.directed && is_symmetric(result.graph)) result.graph = as_undirected(result.graph);
  return result;
}

}  // namespace gir
