#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

constexpr std::int64_t kTableBytes = std::int64_t{256} << 20;
constexpr std::int64_t kPairsPerBlock = 1 << 12;

/// What ways of two and three edges say about a pair.
struct Ways {
  double common = 0;       ///< common neighbours w
  double adamic_adar = 0;  ///< Σ 1 / log d(w)
  double resource = 0;     ///< Σ 1 / d(w)
  double longer = 0;       ///< ways u - a - b - v of distinct nodes
  double weighed = 0;      ///< Σ 1 / sqrt(d(a) d(b)) over them
};

constexpr std::int64_t kWidth = 8;

/// Common neighbours, Adamic-Adar, resource allocation, ways of three edges and degrees, in the graph without the
/// pair's own edge: none of them changes when the edge comes or goes. Edges count as undirected. On graphs of some
/// thousand nodes the ways between all pairs are counted once, row by row; on larger ones for the pairs asked for.
class CommonNeighbors : public PairFeature {
 public:
  explicit CommonNeighbors(const PairInputs& inputs) : given_(inputs.graphs.graph) {
    if (given_.directed()) both_ways_ = as_undirected(given_);
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

  const Graph& graph() const { return both_ways_ ? *both_ways_ : given_; }

  /// `marks` are all 0, before and after. O(edges around the node of the lower degree).
  Ways count(NodePair pair, Array<std::uint8_t>& marks) const {
    const bool from_first = graph().out_degree(pair.first) <= graph().out_degree(pair.second);
    const NodeId u = from_first ? pair.first : pair.second;
    const NodeId v = from_first ? pair.second : pair.first;
    Ways ways;
    for (const NodeId b : graph().out_neighbors(v)) marks[b] = 1;
    marks[u] = 0;
    for (const NodeId a : graph().out_neighbors(u)) {
      if (a == v) continue;
      if (marks[a] != 0) {
        ways.common += 1;
        ways.adamic_adar += log_share_[a];
        ways.resource += share_[a];
      }
      double to_v = 0;
      for (const NodeId b : graph().out_neighbors(a)) {
        if (marks[b] == 0) continue;
        ways.longer += 1;
        to_v += root_share_[b];
      }
      ways.weighed += root_share_[a] * to_v;
    }
    for (const NodeId b : graph().out_neighbors(v)) marks[b] = 0;
    return ways;
  }

  void write(NodePair pair, const Ways& ways, float* row) const {
    const double own_edge = graph().has_arc(pair.first, pair.second) ? 1 : 0;
    const double degree_u = static_cast<double>(graph().out_degree(pair.first)) - own_edge;
    const double degree_v = static_cast<double>(graph().out_degree(pair.second)) - own_edge;
    const double either = degree_u + degree_v - ways.common;
    const std::array<double, kWidth> values = {std::log1p(ways.common),
                                               ways.adamic_adar,
                                               ways.resource,
                                               either > 0 ? ways.common / either : 0,
                                               std::log1p(ways.longer),
                                               std::log1p(ways.weighed),
                                               std::log1p(degree_u) + std::log1p(degree_v),
                                               std::abs(std::log1p(degree_u) - std::log1p(degree_v))};
    std::transform(values.begin(), values.end(), row, [](double value) { return static_cast<float>(value); });
  }

  /// Ways from u to every node at once: O(edges) a row.
  void fill_table() {
    const std::int64_t nodes = graph().num_nodes();
    table_ = Array<Row>(nodes * nodes);
    parallel_for(nodes, 1 << 4, [&](std::int64_t begin, std::int64_t end) {
      Array<Ways> ways(nodes);
      Array<double> weighed(nodes);
      for (std::int64_t i = begin; i < end; ++i) {
        const auto u = static_cast<NodeId>(i);
        std::fill(ways.begin(), ways.end(), Ways{});
        std::fill(weighed.begin(), weighed.end(), 0);
        for (const NodeId a : graph().out_neighbors(u)) {
          for (const NodeId b : graph().out_neighbors(a)) {
            ways[b].common += 1;
            ways[b].adamic_adar += log_share_[a];
            ways[b].resource += share_[a];
            ways[b].weighed += root_share_[a];  // for now: to b
          }
        }
        for (NodeId b = 0; b < nodes; ++b) {
          if (b == u || ways[b].common == 0) continue;
          const double to_b = ways[b].weighed * root_share_[b];
          for (const NodeId v : graph().out_neighbors(b)) {
            ways[v].longer += ways[b].common;
            weighed[v] += to_b;
          }
        }
        for (NodeId v = 0; v < nodes; ++v) ways[v].weighed = weighed[v];
        for (const NodeId v : graph().out_neighbors(u)) take_back_own_edge(u, v, ways[v]);
        for (NodeId v = 0; v < nodes; ++v) write({u, v}, ways[v], table_[u * nodes + v].data());
      }
    });
  }

  /// Of neighbours u and v: without the ways u - v - b - v, which begin with their own edge.
  void take_back_own_edge(NodeId u, NodeId v, Ways& ways) const {
    double back = 0;
    for (const NodeId b : graph().out_neighbors(v)) back += b == u ? 0 : root_share_[b];
    ways.longer -= static_cast<double>(graph().out_degree(v)) - 1;
    ways.weighed = ways.longer > 0 ? std::max(0.0, ways.weighed - root_share_[v] * back) : 0;
  }

  const Graph& given_;
  std::optional<Graph> both_ways_;
  Array<double> log_share_, share_, root_share_;  ///< 1 / log d, 1 / d and 1 / sqrt d of every node
  Array<Row> table_;                              ///< [nodes, nodes]; empty on large graphs
};

const Registered<PairFeatureEntry> entry{{
    .name = "common-neighbors",
    .summary = "common neighbours, Adamic-Adar, resource allocation, ways of three edges, degrees",
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> {
      return std::make_unique<CommonNeighbors>(inputs);
    },
}};

}  // namespace
}  // namespace gir
