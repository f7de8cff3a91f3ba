#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "gir/core/types.h"
#include "gir/graph/generators.h"

/// Building blocks of generators. Every helper gives the same edges on any number of threads.
namespace gir::generators {

/// The parameter that most generators have.
GeneratorParameter nodes_parameter(std::int64_t default_value, std::int64_t minimum = 1);

/// UserError when a graph of that size has too many nodes or does not fit in memory while it is built. `bytes_per_edge`
/// is what the generator itself allocates. The sizes are real numbers, which cannot overflow.
void check_size(std::string_view kind, double nodes, double edges, double bytes_per_edge = sizeof(Arc));

/// The undirected graph of these edges, node ids 0 .. nodes-1, without attributes.
AttributedGraph undirected_graph(std::int64_t nodes, Array<Arc> edges);

/// First node of `group` when the nodes are divided into `groups` consecutive ranges of equal length (up to rounding).
inline std::int64_t group_begin(std::int64_t nodes, std::int64_t groups, std::int64_t group) {
  return static_cast<std::int64_t>(static_cast<__int128>(nodes) * group / groups);
}

/// Every node's group as its class, named "0", "1", ...
Labels group_labels(std::int64_t nodes, std::int64_t groups);

/// edge_at(0), edge_at(1), ...
template <typename EdgeAt>
Array<Arc> edges_by_index(std::int64_t count, const EdgeAt& edge_at) {
  Array<Arc> edges(count);
  parallel_for(count, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) edges[i] = edge_at(i);
  });
  return edges;
}

/// The edges that `edges_of(row, emit)` emits for every row in [0, rows). It is called twice per row, first to count
/// and then to fill, so that the edges are stored once and in order.
template <typename EdgesOf>
Array<Arc> edges_by_row(std::int64_t rows, const EdgesOf& edges_of) {
  constexpr std::int64_t kRowsPerBlock = 1 << 8;
  std::vector<std::int64_t> starts(static_cast<std::size_t>(num_blocks(rows, kRowsPerBlock)) + 1, 0);
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (std::int64_t row = begin; row < end; ++row) edges_of(row, [&](Arc) { ++count; });
    starts[static_cast<std::size_t>(begin / kRowsPerBlock) + 1] = count;
  });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  Array<Arc> edges(starts.back());
  parallel_for(rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    Arc* next = edges.data() + starts[static_cast<std::size_t>(begin / kRowsPerBlock)];
    for (std::int64_t row = begin; row < end; ++row) edges_of(row, [&](Arc edge) { *next++ = edge; });
  });
  return edges;
}

/// Calls `use(i)` for every i in [begin, end) with the given probability, independently. Jumps from one hit to the next
/// (the gaps have a geometric distribution), so that the cost is proportional to the number of hits.
template <typename Use>
void for_each_hit(Rng& rng, std::int64_t begin, std::int64_t end, double probability, const Use& use) {
  if (probability <= 0) return;
  const double scale = 1 / std::log1p(-probability);  // -0 where the probability is 1: no gaps
  for (std::int64_t i = begin; i < end; ++i) {
    const double gap = std::floor(std::log1p(-rng.uniform()) * scale);
    if (!(gap < static_cast<double>(end - i))) return;
    i += static_cast<std::int64_t>(gap);
    use(i);
  }
}

/// Writes all edges among the nodes first .. first + count - 1 to `next`; returns the position after them.
Arc* fill_clique(NodeId first, std::int64_t count, Arc* next);

/// Moves the target of every edge, with that probability, to a node drawn uniformly among those that are not neighbours
/// of the source. The number of edges does not change. An edge for which a hundred draws find no such node (in graphs
/// that are nearly complete) is kept. Expected O(edges) time; 48 bytes per edge.
void rewire(Array<Arc>& edges, std::int64_t nodes, double probability, Rng rng);

/// `bytes_per_edge` of check_size() for a generator that calls rewire().
inline constexpr double kRewireBytesPerEdge = 48 + sizeof(Arc);

}  // namespace gir::generators
