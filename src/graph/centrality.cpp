#include "gir/graph/centrality.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr double kDamping = 0.85;
constexpr double kTolerance = 1e-10;
constexpr int kMaxIterations = 200;
constexpr std::int64_t kNodesPerBlock = 1 << 12;

/// Sum of `term(node)` over all nodes. Partial sums per block are added in block order, so that the result does not
/// depend on the number of threads.
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

}  // namespace

// Repeatedly removes a node of the smallest remaining degree (Batagelj and Zaversnik, "An O(m) algorithm for cores
// decomposition of networks", 2003). A counting sort keeps the nodes ordered by remaining degree.
Array<EdgeId> core_numbers(const Graph& graph) {
  const std::int64_t nodes = graph.num_nodes();
  Array<EdgeId> left(nodes);
  EdgeId max_degree = 0;
  for (NodeId v = 0; v < nodes; ++v) max_degree = std::max(max_degree, left[v] = total_degree(graph, v));
  // order: nodes sorted by remaining degree; place: index of a node in `order`; first: index of the first node of a
  // degree in `order`.
  std::vector<std::int64_t> first(static_cast<std::size_t>(max_degree) + 2, 0);
  for (const EdgeId degree : left) ++first[static_cast<std::size_t>(degree) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  Array<NodeId> order(nodes);
  Array<std::int64_t> place(nodes);
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for (NodeId v = 0; v < nodes; ++v) order[place[v] = next[static_cast<std::size_t>(left[v])]++] = v;

  const auto lower = [&](NodeId v, EdgeId core) {
    if (left[v] <= core) return;
    // Swap v with the first node of its degree and let that degree begin one place later: v is then the last node of
    // the next lower degree.
    const std::int64_t begin = first[static_cast<std::size_t>(left[v])]++;
    const NodeId other = order[begin];
    std::swap(order[place[v]], order[begin]);
    std::swap(place[v], place[other]);
    --left[v];
  };
  for (std::int64_t i = 0; i < nodes; ++i) {
    const NodeId v = order[i];
    const EdgeId core = left[v];
    first[static_cast<std::size_t>(core)] = i + 1;
    for (const NodeId u : graph.out_neighbors(v)) lower(u, core);
    if (!graph.directed()) continue;
    for (const NodeId u : graph.in_neighbors(v)) lower(u, core);
  }
  return left;
}

Array<double> page_ranks(const Graph& graph) {
  const std::int64_t nodes = graph.num_nodes();
  Array<double> rank(nodes, 1.0 / static_cast<double>(nodes));
  Array<double> next(nodes);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
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

Array<std::int64_t> triangle_counts(const Graph& graph) {
  ensure(!graph.directed(), "triangles of an undirected graph");
  const std::int64_t nodes = graph.num_nodes();
  // Every edge is directed from its node of lower degree to that of higher degree: no node then has more than
  // O(sqrt(edges)) out-edges, and every triangle is found once, from its lowest node.
  const auto before = [&](NodeId a, NodeId b) {
    const EdgeId degree_a = graph.out_degree(a);
    const EdgeId degree_b = graph.out_degree(b);
    return degree_a != degree_b ? degree_a < degree_b : a < b;
  };
  Array<EdgeId> offsets(nodes + 1, 0);
  for (NodeId v = 0; v < nodes; ++v) {
    const auto row = graph.out_neighbors(v);
    offsets[v + 1] = offsets[v] + std::count_if(row.begin(), row.end(), [&](NodeId u) { return before(v, u); });
  }
  Array<NodeId> higher(offsets[nodes]);
  for (NodeId v = 0; v < nodes; ++v) {
    const auto row = graph.out_neighbors(v);
    std::copy_if(row.begin(), row.end(), higher.begin() + offsets[v], [&](NodeId u) { return before(v, u); });
  }
  std::vector<std::atomic<std::int64_t>> found(static_cast<std::size_t>(nodes));
  const auto count = [&](NodeId v) { found[static_cast<std::size_t>(v)].fetch_add(1, std::memory_order_relaxed); };
  parallel_for(nodes, 1 << 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      for (EdgeId i = offsets[v]; i < offsets[v + 1]; ++i) {
        const NodeId u = higher[i];
        // Intersection of two sorted lists: the common higher neighbours of v and u.
        EdgeId a = offsets[v];
        EdgeId b = offsets[u];
        while (a < offsets[v + 1] && b < offsets[u + 1]) {
          if (higher[a] == higher[b]) {
            count(static_cast<NodeId>(v));
            count(u);
            count(higher[a]);
          }
          const NodeId least = std::min(higher[a], higher[b]);
          a += higher[a] == least;
          b += higher[b] == least;
        }
      }
    }
  });
  Array<std::int64_t> counts(nodes);
  std::copy(found.begin(), found.end(), counts.begin());
  return counts;
}

}  // namespace gir
