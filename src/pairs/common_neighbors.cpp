#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

constexpr std::int64_t kTableBytes = std::int64_t{256} << 20;  ///< of the counts of all pairs, on small graphs
constexpr std::int64_t kPairsPerBlock = 1 << 12;
constexpr EdgeId kMaxSteps = 1 << 13;  ///< edges followed to count the paths of three edges of one pair

/// Counts and weighted sums over the paths of two and three edges between two nodes.
struct PathCounts {
  double common = 0;       ///< common neighbours w
  double adamic_adar = 0;  ///< Σ 1 / log d(w)
  double resource = 0;     ///< Σ 1 / d(w)
  double longer = 0;       ///< paths u - a - b - v of distinct nodes
  double weighted = 0;     ///< Σ 1 / sqrt(d(a) d(b)) over these
};

constexpr std::int64_t kWidth = 8;

/// Common neighbours, Adamic-Adar, resource allocation, paths of three edges and degrees, all in the graph without the
/// pair's own edge: the features of a pair are the same whether it is an edge or not. Edge directions are ignored. On
/// graphs of a few thousand nodes, paths are counted once for all pairs, row by row; on larger graphs, for each pair
/// that is requested.
class CommonNeighbors : public PairFeature {
 public:
  explicit CommonNeighbors(const PairInputs& inputs) : given_(inputs.graphs.graph) {
    if (given_.directed()) undirected_ = as_undirected(given_);
    const std::int64_t nodes = graph().num_nodes();
    log_share_ = Array<double>(nodes, 0);
    share_ = Array<double>(nodes, 0);
    root_share_ = Array<double>(nodes, 0);
    for (NodeId v = 0; v < nodes; ++v) {
      const auto degree = static_cast<double>(graph().out_degree(v));
      if (degree > 0) share_[v] = 1 / degree;
      if (degree > 0) root_share_[v] = 1 / std::sqrt(degree);
      if (degree > 1) log_share_[v] = 1 / std::log(degree);
    }
    if (nodes > 0 && nodes <= kTableBytes / std::int64_t{sizeof(Row)} / nodes) fill_table();
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t, float* out, std::int64_t stride) const override {
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      std::optional<Array<std::uint8_t>> marks;
      for (std::int64_t i = begin; i < end; ++i) {
        const NodePair pair = pairs[static_cast<std::size_t>(i)];
        float* row = out + i * stride;
        if (!table_.empty()) {
          std::copy_n(table_[pair.first * graph().num_nodes() + pair.second].data(), kWidth, row);
          continue;
        }
        if (!marks) marks.emplace(graph().num_nodes(), std::uint8_t{0});
        write(pair, count(pair, *marks), row);
      }
    });
  }

 private:
  using Row = std::array<float, kWidth>;

  const Graph& graph() const { return undirected_ ? *undirected_ : given_; }

  /// Counts the paths of one pair. `marks` are all 0, before and after. Paths of three edges are counted along at most
  /// kMaxSteps of the edges of the neighbours of the node of lower degree, evenly chosen, and scaled: what a pair
  /// costs is bounded by its degrees, also between hubs. O(degree of u + degree of v + kMaxSteps).
  PathCounts count(NodePair pair, Array<std::uint8_t>& marks) const {
    const bool from_first = graph().out_degree(pair.first) <= graph().out_degree(pair.second);
    const NodeId u = from_first ? pair.first : pair.second;
    const NodeId v = from_first ? pair.second : pair.first;
    PathCounts paths;
    EdgeId steps = 0;
    for (const NodeId b : graph().out_neighbors(v)) marks[b] = 1;
    marks[u] = 0;
    for (const NodeId a : graph().out_neighbors(u)) {
      if (a == v) continue;
      steps += graph().out_degree(a);
      if (marks[a] == 0) continue;
      paths.common += 1;
      paths.adamic_adar += log_share_[a];
      paths.resource += share_[a];
    }
    count_longer(u, v, std::max<EdgeId>(1, (steps + kMaxSteps - 1) / kMaxSteps), marks, paths);
    for (const NodeId b : graph().out_neighbors(v)) marks[b] = 0;
    return paths;
  }

  /// Paths u - a - b - v along every `stride`-th edge a - b.
  void count_longer(NodeId u, NodeId v, EdgeId stride, const Array<std::uint8_t>& marks, PathCounts& paths) const {
    EdgeId next = stride / 2;  // position of the next edge among those of the current neighbour
    for (const NodeId a : graph().out_neighbors(u)) {
      if (a == v) continue;
      const auto edges = graph().out_neighbors(a);
      double to_v = 0;
      for (; next < std::ssize(edges); next += stride) {
        const NodeId b = edges[static_cast<std::size_t>(next)];
        if (marks[b] == 0) continue;
        paths.longer += static_cast<double>(stride);
        to_v += root_share_[b];
      }
      next -= std::ssize(edges);
      paths.weighted += static_cast<double>(stride) * root_share_[a] * to_v;
    }
  }

  void write(NodePair pair, const PathCounts& paths, float* row) const {
    const double own_edge = graph().has_arc(pair.first, pair.second) ? 1 : 0;
    const double degree_u = static_cast<double>(graph().out_degree(pair.first)) - own_edge;
    const double degree_v = static_cast<double>(graph().out_degree(pair.second)) - own_edge;
    const double either = degree_u + degree_v - paths.common;
    const std::array<double, kWidth> values = {std::log1p(paths.common),
                                               paths.adamic_adar,
                                               paths.resource,
                                               either > 0 ? paths.common / either : 0,
                                               std::log1p(paths.longer),
                                               std::log1p(paths.weighted),
                                               std::log1p(degree_u) + std::log1p(degree_v),
                                               std::abs(std::log1p(degree_u) - std::log1p(degree_v))};
    std::transform(values.begin(), values.end(), row, [](double value) { return static_cast<float>(value); });
  }

  void fill_table() {
    const std::int64_t nodes = graph().num_nodes();
    table_ = Array<Row>(nodes * nodes);
    parallel_for(nodes, 1 << 4, [&](std::int64_t begin, std::int64_t end) {
      Array<PathCounts> paths(nodes);
      Array<double> weighted(nodes);
      for (std::int64_t u = begin; u < end; ++u) fill_row(static_cast<NodeId>(u), paths, weighted);
    });
  }

  /// Counts the paths from u to all nodes at once: O(edges). `paths` and `weighted` have room for one value per node.
  void fill_row(NodeId u, Array<PathCounts>& paths, Array<double>& weighted) {
    const std::int64_t nodes = graph().num_nodes();
    std::fill(paths.begin(), paths.end(), PathCounts{});
    std::fill(weighted.begin(), weighted.end(), 0);
    for (const NodeId a : graph().out_neighbors(u)) {
      for (const NodeId b : graph().out_neighbors(a)) {
        paths[b].common += 1;
        paths[b].adamic_adar += log_share_[a];
        paths[b].resource += share_[a];
        paths[b].weighted += root_share_[a];  // sum over paths u - a - b, completed below
      }
    }
    for (NodeId b = 0; b < nodes; ++b) {
      if (b == u || paths[b].common == 0) continue;
      const double to_b = paths[b].weighted * root_share_[b];
      for (const NodeId v : graph().out_neighbors(b)) {
        paths[v].longer += paths[b].common;
        weighted[v] += to_b;
      }
    }
    for (NodeId v = 0; v < nodes; ++v) paths[v].weighted = weighted[v];
    for (const NodeId v : graph().out_neighbors(u)) subtract_own_edge(u, v, paths[v]);
    for (NodeId v = 0; v < nodes; ++v) write({u, v}, paths[v], table_[u * nodes + v].data());
  }

  /// For neighbours u and v: subtracts the walks u - v - b - v, which begin with the pair's own edge.
  void subtract_own_edge(NodeId u, NodeId v, PathCounts& paths) const {
    double back = 0;
    for (const NodeId b : graph().out_neighbors(v)) back += b == u ? 0 : root_share_[b];
    paths.longer -= static_cast<double>(graph().out_degree(v)) - 1;
    paths.weighted = paths.longer > 0 ? std::max(0.0, paths.weighted - root_share_[v] * back) : 0;
  }

  const Graph& given_;
  std::optional<Graph> undirected_;               ///< of a directed graph
  Array<double> log_share_, share_, root_share_;  ///< 1 / log d, 1 / d and 1 / sqrt d of every node
  Array<Row> table_;                              ///< [nodes, nodes]; empty on large graphs
};

const Registered<PairFeatureEntry> entry{{
    .name = "common-neighbors",
    .summary = "common neighbours, Adamic-Adar, resource allocation, paths of three edges, degrees",
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> {
      return std::make_unique<CommonNeighbors>(inputs);
    },
}};

}  // namespace
}  // namespace gir
