#pragma once

#include <algorithm>
#include <cstdint>

#include "../edge_rows.h"
#include "gir/core/parallel.h"

namespace gir::cpu {

/// Prefetches a row: rows of neighbours are scattered in memory, and aggregation is bound by memory latency. Into the
/// L2 cache, which supports more outstanding requests than L1.
template <typename Real>
[[gnu::always_inline]] inline void prefetch_row(const Real* row, std::int64_t width) {
  constexpr std::int64_t kPerLine = 64 / sizeof(Real);
  for (std::int64_t j = 0; j < width; j += kPerLine) __builtin_prefetch(row + j, 0, 2);
}

/// sums[i - begin] = row_factor[i] * Σ weight * column_factor * values[column], for rows [begin, end) and `width`
/// values per row. Sums follow the order of the edges.
void gather_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const float* values, std::int64_t width,
                 float* sums);
void gather_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const double* values, std::int64_t width,
                 double* sums);

/// The same, added to out[nodes[i]].
void add_gathered_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const NodeId* nodes,
                       const float* values, std::int64_t width, float* out);
void add_gathered_rows(const EdgeRows& edges, std::int64_t begin, std::int64_t end, const NodeId* nodes,
                       const double* values, std::int64_t width, double* out);

/// Calls `body(first, last, begin, end)` in parallel for blocks of nodes [first, last) that cover all nodes, with the
/// rows [begin, end) of these nodes; nodes[i] is the node of row i, ascending.
template <typename Body>
void for_each_node_block(std::int64_t num_nodes, const NodeId* nodes, std::int64_t rows, const Body& body) {
  constexpr std::int64_t kNodesPerBlock = 64;
  parallel_for(num_nodes, kNodesPerBlock, [&](std::int64_t first, std::int64_t last) {
    const auto row_of = [&](std::int64_t node) { return std::lower_bound(nodes, nodes + rows, node) - nodes; };
    body(first, last, row_of(first), row_of(last));
  });
}

/// Calls `body(chunk, begin, end)` in parallel for consecutive ranges of rows that cover all rows, of about equal work
/// each (an edge or a row is one unit). At most `max_chunks` chunks, and only as many as have `min_work` units of
/// work each. The borders depend on the edges only, never on the number of threads. Returns the number of chunks.
template <typename Body>
std::int64_t for_each_row_chunk(const EdgeRows& edges, std::int64_t max_chunks, std::int64_t min_work,
                                const Body& body) {
  const std::int64_t work = edges.offsets[edges.rows] - edges.offsets[0] + edges.rows;
  const std::int64_t chunks = std::clamp<std::int64_t>(work / min_work, 1, max_chunks);
  const auto border = [&](std::int64_t chunk) {
    // The first row i with offsets[i] + i at or after the chunk's share of the work.
    const std::int64_t share = work / chunks * chunk + std::min(chunk, work % chunks);
    std::int64_t low = 0;
    std::int64_t high = edges.rows;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      edges.offsets[middle] - edges.offsets[0] + middle < share ? low = middle + 1 : high = middle;
    }
    return low;
  };
  parallel_blocks(chunks, [&](std::int64_t chunk) {
    const std::int64_t begin = border(chunk);
    const std::int64_t end = chunk + 1 == chunks ? edges.rows : border(chunk + 1);
    body(chunk, begin, end);
  });
  return chunks;
}

}  // namespace gir::cpu
