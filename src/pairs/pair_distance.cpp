#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/components.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

constexpr std::int64_t kWidth = 5;
constexpr std::int64_t kPairsPerBlock = 1 << 9;
constexpr std::int64_t kTableBytes = std::int64_t{128} << 20;  ///< of all views together
constexpr std::int64_t kEdgesPerSearch = 1
                                         << 13;  ///< then the distance is a lower bound: the cost of a pair is bounded

/// The distance of two nodes without the edge between them, or what is known about it.
struct PairDistance {
  std::int32_t hops = 0;  ///< where there is a path; a lower bound where the search was stopped
  bool connected = true;
  std::array<std::int64_t, 2> reached =
      {};  ///< where there is no path: nodes that each end can reach, 0 if not counted
};

/// Breadth-first searches from both ends of a pair, which ignore the edge between the two. Reusable without clearing.
class MeetingSearch {
 public:
  /// The distance is exact up to `max_edges` followed edges, then a lower bound.
  MeetingSearch(const Graph& graph, std::int64_t max_edges)
      : graph_(graph), max_edges_(max_edges), seen_(graph.num_nodes(), 0) {}

  /// Expands the end with fewer edges to follow until the two meet, or one can go no further. For two nodes that are
  /// known to be connected in another way than by their own edge, it stops after `max_edges`.
  PairDistance find(NodePair pair, bool surely_connected) {
    begin(pair);
    PairDistance found;
    std::int64_t followed = 0;
    for (std::int32_t hops = 1;; ++hops) {
      const std::size_t end = ends_[0].edges <= ends_[1].edges ? 0 : 1;
      if (ends_[end].frontier.empty()) {
        found = {.connected = false};
        found.reached[end] = ends_[end].reached;
        return found;
      }
      if (followed <= max_edges_) found.hops = hops;
      followed += ends_[end].edges;
      if (followed > max_edges_ && surely_connected) return found;
      if (expand(end)) return found;
    }
  }

 private:
  struct End {
    std::vector<NodeId> frontier = {};
    std::int64_t edges = 0;  ///< that leave the frontier
    std::int64_t reached = 1;
  };

  void begin(NodePair pair) {
    pair_ = pair;
    if (marks_ > std::numeric_limits<std::int32_t>::max() - 4) {
      std::fill(seen_.begin(), seen_.end(), 0);
      marks_ = 0;
    }
    marks_ += 2;
    const std::int64_t own_edge = graph_.has_arc(pair.first, pair.second) ? 1 : 0;
    for (const std::size_t end : {0, 1}) {
      const NodeId node = end == 0 ? pair.first : pair.second;
      ends_[end].frontier.assign(1, node);
      ends_[end].edges = graph_.out_degree(node) - own_edge;
      ends_[end].reached = 1;
      seen_[node] = marks_ + static_cast<std::int32_t>(end);
    }
  }

  /// Moves one end by one hop; whether it meets the other.
  bool expand(std::size_t end) {
    const auto own = marks_ + static_cast<std::int32_t>(end);
    const auto other = marks_ + 1 - static_cast<std::int32_t>(end);
    next_.clear();
    std::int64_t edges = 0;
    for (const NodeId from : ends_[end].frontier) {
      for (const NodeId to : graph_.out_neighbors(from)) {
        if (is_own_edge(from, to)) continue;
        if (seen_[to] == other) return true;
        if (seen_[to] == own) continue;
        seen_[to] = own;
        next_.push_back(to);
        edges += graph_.out_degree(to);
      }
    }
    std::swap(ends_[end].frontier, next_);
    ends_[end].edges = edges;
    ends_[end].reached += std::ssize(ends_[end].frontier);
    return false;
  }

  bool is_own_edge(NodeId from, NodeId to) const {
    return (from == pair_.first && to == pair_.second) || (from == pair_.second && to == pair_.first);
  }

  const Graph& graph_;
  std::int64_t max_edges_;
  Array<std::int32_t> seen_;  ///< marks_ or marks_ + 1 for what the first or second end has reached
  std::int32_t marks_ = 0;
  NodePair pair_{};
  std::array<End, 2> ends_;
  std::vector<NodeId> next_;
};

/// The distance of the two nodes without the edge between them, whether there is a path at all, and the sizes of their
/// components without that edge. Edge directions are ignored. Small graphs have a table of all distances; on large ones
/// a search follows a limited number of edges, after which only a lower bound of the distance is known.
class PairDistanceFeature : public PairFeature {
 public:
  explicit PairDistanceFeature(const PairInputs& inputs) {
    const std::int64_t nodes = inputs.graphs.graph.num_nodes();
    const bool tables = nodes * nodes * std::int64_t{sizeof(Hops)} <= kTableBytes / inputs.graphs.size();
    for (std::int64_t view = 0; view < inputs.graphs.size(); ++view) {
      views_.emplace_back(inputs.graphs[view], tables, inputs.distance_search);
    }
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t number, float* out, std::int64_t stride) const override {
    ensure(number >= 0 && number < std::ssize(views_), "no such view of the graph");
    const View& view = views_[static_cast<std::size_t>(number)];
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      std::optional<MeetingSearch> search;
      for (std::int64_t i = begin; i < end; ++i) {
        const NodePair pair = pairs[static_cast<std::size_t>(i)];
        write(view, pair, distance(view, pair, search), out + i * stride);
      }
    });
  }

 private:
  struct View {
    View(const Graph& given, bool with_table, const DistanceSearch& search) : given_graph(given) {
      if (given.directed()) undirected = as_undirected(given);
      components = connected_components(graph());
      if (with_table) {
        std::vector<NodeId> all(static_cast<std::size_t>(graph().num_nodes()));
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<NodeId>(v);
        table = source_distances(graph(), all, {.search = search});
      }
    }

    const Graph& graph() const { return undirected ? *undirected : given_graph; }
    std::int64_t component_size(NodeId node) const { return components.sizes[components.of_node[node]]; }

    const Graph& given_graph;
    std::optional<Graph> undirected = {};  ///< of a directed graph
    Components components = {};
    std::optional<DistanceTable> table = {};  ///< of all pairs
  };

  static PairDistance distance(const View& view, NodePair pair, std::optional<MeetingSearch>& search) {
    const Components& components = view.components;
    const auto [first, second] = pair;
    if (components.of_node[first] != components.of_node[second]) {
      return {.connected = false, .reached = {view.component_size(first), view.component_size(second)}};
    }
    const bool has_edge = view.graph().has_arc(first, second);
    if (view.table && !has_edge) return {.hops = view.table->at(first, second)};
    if (!search) {
      search.emplace(view.graph(), view.table ? std::numeric_limits<std::int64_t>::max() : kEdgesPerSearch);
    }
    PairDistance found = search->find(pair, !has_edge);
    if (found.connected) return found;
    for (const std::size_t end : {0, 1}) {  // the own edge is a bridge: the other end has the rest of the component
      if (found.reached[end] == 0) found.reached[end] = view.component_size(first) - found.reached[1 - end];
    }
    return found;
  }

  static void write(const View& view, NodePair pair, const PairDistance& distance, float* row) {
    const auto size = [&](std::size_t end, NodeId node) {
      return std::log(static_cast<double>(distance.connected ? view.component_size(node) : distance.reached[end]));
    };
    const double first = size(0, pair.first);
    const double second = size(1, pair.second);
    const auto hops = static_cast<double>(distance.hops);
    row[0] = static_cast<float>(distance.connected ? 1 / (1 + hops) : 0);
    row[1] = static_cast<float>(distance.connected ? std::log1p(hops) : 0);
    row[2] = distance.connected ? 1.0f : 0.0f;
    row[3] = static_cast<float>(std::min(first, second));
    row[4] = static_cast<float>(std::max(first, second));
  }

  std::vector<View> views_;
};

const Registered<PairFeatureEntry> entry{{
    .name = "pair-distance",
    .summary = "distance of the two nodes without the edge between them, sizes of their components",
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> {
      return std::make_unique<PairDistanceFeature>(inputs);
    },
}};

}  // namespace
}  // namespace gir
