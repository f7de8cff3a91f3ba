#include <cmath>

#include "gir/anchors/anchors.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "ranking.h"

namespace gir {
namespace {

/// Brandes' algorithm ("A faster algorithm for betweenness centrality", 2001) for one source at a time: sums up, for
/// every node, the share of shortest paths from the source to each other node that pass through it. Reuses its memory.
class PathCounter {
 public:
  explicit PathCounter(const Graph& graph)
      : graph_(graph), paths_(graph.num_nodes()), dependency_(graph.num_nodes()), distance_(graph.num_nodes(), -1) {}

  /// Adds the dependencies of `source` on all nodes to `total`.
  void add(NodeId source, Array<double>& total) {
    search(source);
    // In the order of decreasing distance, so that a node's successors are complete before it.
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      for (const NodeId next : graph_.out_neighbors(*node)) {
        if (distance_[next] == distance_[*node] + 1) {
          dependency_[*node] += paths_[*node] / paths_[next] * (1 + dependency_[next]);
        }
      }
      if (*node != source) total[*node] += dependency_[*node];
    }
    for (const NodeId node : order_) distance_[node] = -1;
  }

 private:
  /// A breadth-first search that counts shortest paths.
  void search(NodeId source) {
    order_.assign(1, source);
    distance_[source] = 0;
    paths_[source] = 1;
    dependency_[source] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const NodeId node = order_[i];
      for (const NodeId next : graph_.out_neighbors(node)) {
        if (distance_[next] < 0) {
          distance_[next] = distance_[node] + 1;
          paths_[next] = 0;
          dependency_[next] = 0;
          order_.push_back(next);
        }
        if (distance_[next] == distance_[node] + 1) paths_[next] += paths_[node];
      }
    }
  }

  const Graph& graph_;
  Array<double> paths_;  ///< number of shortest paths from the source
  Array<double> dependency_;
  Array<std::int32_t> distance_;  ///< -1 for nodes that have not been reached
  std::vector<NodeId> order_;     ///< nodes in the order in which they were reached
};

Array<double> betweenness(const Graph& graph, const std::vector<NodeId>& sources) {
  // One sum per node and block of sources, added up in block order: the same result on any number of threads. Few
  // blocks, because each needs memory for all nodes.
  constexpr std::int64_t kBlocks = 8;
  const std::int64_t per_block = std::max<std::int64_t>(1, num_blocks(std::ssize(sources), kBlocks));
  std::vector<Array<double>> sums(static_cast<std::size_t>(num_blocks(std::ssize(sources), per_block)));
  parallel_for(std::ssize(sources), per_block, [&](std::int64_t begin, std::int64_t end) {
    Array<double> sum(graph.num_nodes(), 0);
    PathCounter counter(graph);
    for (std::int64_t i = begin; i < end; ++i) counter.add(sources[static_cast<std::size_t>(i)], sum);
    sums[static_cast<std::size_t>(begin / per_block)] = std::move(sum);
  });
  Array<double> total(graph.num_nodes(), 0);
  for (const Array<double>& sum : sums) {
    for (std::int64_t v = 0; v < total.size(); ++v) total[v] += sum[v];
  }
  return total;
}

AnchorSelection select_by_betweenness(const Graph& graph, const AnchorOptions& options) {
  if (options.samples < 1) throw UserError("betweenness needs at least one sample, `samples` is {}", options.samples);
  const std::int64_t nodes = graph.num_nodes();
  const std::int64_t samples = std::min(options.samples, nodes);
  AnchorSelection selection;
  selection.anchors = highest(
      graph, betweenness(graph, draw_nodes(nodes, samples, Rng(options.seed, "anchors/betweenness"))), options.count);
  if (samples < nodes) {
    // Hoeffding's inequality for every node (the contribution of one source is between 0 and 1), with a union bound
    // over all nodes.
    const double bound =
        std::sqrt(std::log(2 * static_cast<double>(nodes) / 0.05) / (2 * static_cast<double>(samples)));
    selection.notes.push_back(
        fmt::format("betweenness is estimated from {} of {} nodes: every node's share of shortest paths is within "
                    "{:.3f} of the true "
                    "value with 95 % confidence [`samples` {} is exact]",
                    samples, nodes, bound, nodes));
  }
  return selection;
}

const Registered<AnchorStrategy> by_betweenness{{
    .name = "betweenness",
    .summary = "the nodes of the highest betweenness centrality, estimated from sampled sources",
    .select = select_by_betweenness,
}};

}  // namespace
}  // namespace gir
