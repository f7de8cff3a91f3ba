#include <cmath>

#include "gir/anchors/anchors.h"
#include "gir/core/parallel.h"
#include "ranking.h"

namespace gir {
namespace {

constexpr double kDamping = 0.85;
constexpr double kTolerance = 1e-10;
constexpr int kMostRounds = 200;
constexpr std::int64_t kNodesPerBlock = 1 << 12;

/// Sum of `term(node)` over all nodes, added by block and in the order of the blocks.
template <typename Term>
double block_sum(std::int64_t nodes, const Term& term) {
  std::vector<double> sums(static_cast<std::size_t>(num_blocks(nodes, kNodesPerBlock)), 0);
  parallel_for(nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
    for (std::int64_t v = begin; v < end; ++v) sum += term(static_cast<NodeId>(v));
    sums[static_cast<std::size_t>(begin / kNodesPerBlock)] = sum;
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

/// Power iteration; nodes without out-edges pass their rank on to all.
Array<double> page_ranks(const Graph& graph) {
  const std::int64_t nodes = graph.num_nodes();
  Array<double> rank(nodes, 1.0 / static_cast<double>(nodes));
  Array<double> next(nodes);
  for (int round = 0; round < kMostRounds; ++round) {
    const double dangling = block_sum(nodes, [&](NodeId v) { return graph.out_degree(v) == 0 ? rank[v] : 0; });
    const double base = (1 - kDamping + kDamping * dangling) / static_cast<double>(nodes);
    parallel_for(nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) {
        double received = 0;
        for (const NodeId u : graph.in_neighbors(static_cast<NodeId>(v))) {
          received += rank[u] / static_cast<double>(graph.out_degree(u));
        }
        next[v] = base + kDamping * received;
      }
    });
    const double change = block_sum(nodes, [&](NodeId v) { return std::abs(next[v] - rank[v]); });
    std::swap(rank, next);
    if (change < kTolerance) break;
  }
  return rank;
}

AnchorSelection select_by_pagerank(const Graph& graph, const AnchorOptions& options) {
  return {.anchors = highest(graph, page_ranks(graph), options.count), .restricted = false, .notes = {}};
}

const Registered<AnchorStrategy> pagerank{{
    .name = "pagerank",
    .summary = "the nodes of the highest PageRank (damping 0.85)",
    .select = select_by_pagerank,
}};

}  // namespace
}  // namespace gir
