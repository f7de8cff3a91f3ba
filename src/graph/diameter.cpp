#include <algorithm>
#include <limits>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/graph/traversal.h"

namespace gir {
namespace {

constexpr std::int64_t kNodesPerBlock = 1 << 14;
constexpr std::int64_t kMinSearches = 16;
constexpr std::int64_t kCheapWork = 1 << 26;  ///< nodes and arcs that are visited in a fraction of a second

constexpr NodeId kNoNode = -1;

/// What the bounds of the nodes' eccentricities imply: bounds of the diameter, and where to search next.
struct Implications {
  DiameterBounds diameter;
  NodeId farthest = kNoNode;      ///< the largest upper bound among nodes whose bounds differ
  NodeId most_central = kNoNode;  ///< the smallest lower bound among them
};

/// Bounds of the eccentricity of every node of one component.
class EccentricityBounds {
 public:
  EccentricityBounds(const Graph& graph, const Components& components, std::int32_t component)
      : graph_(graph), lower_(graph.num_nodes(), 0), upper_(graph.num_nodes(), kOutside) {
    for (std::int64_t v = 0; v < graph.num_nodes(); ++v) {
      if (components.of_node[v] == component) upper_[v] = std::numeric_limits<std::int32_t>::max();
    }
  }

  /// The node of the component with the highest degree.
  NodeId hub() const {
    NodeId best = kNoNode;
    for (std::int64_t i = 0; i < upper_.size(); ++i) {
      const auto v = static_cast<NodeId>(i);
      if (upper_[v] == kOutside) continue;
      if (best == kNoNode || arcs_at(v) > arcs_at(best)) best = v;
    }
    return best;
  }

  /// Searches from `source` and tightens the bounds of every node.
  Implications search_from(NodeId source) {
    const auto distances = hop_distances(graph_, source, {.undirected = true});
    const std::int32_t reach = *std::max_element(distances.begin(), distances.end());
    std::vector<Implications> per_block(static_cast<std::size_t>(num_blocks(distances.size(), kNodesPerBlock)));
    parallel_for(distances.size(), kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      Implications& mine = per_block[static_cast<std::size_t>(begin / kNodesPerBlock)];
      for (std::int64_t v = begin; v < end; ++v) {
        if (distances[v] == kUnreachable) continue;
        lower_[v] = std::max({lower_[v], distances[v], reach - distances[v]});
        upper_[v] = std::min(upper_[v], reach + distances[v]);
        consider(static_cast<NodeId>(v), mine);
      }
    });
    for (std::size_t i = 1; i < per_block.size(); ++i) merge(per_block[i], per_block[0]);
    return per_block[0];
  }

 private:
  static constexpr std::int32_t kOutside = -1;

  EdgeId arcs_at(NodeId node) const { return graph_.out_degree(node) + graph_.in_degree(node); }

  void consider(NodeId v, Implications& implied) const {
    implied.diameter.lower = std::max(implied.diameter.lower, lower_[v]);
    implied.diameter.upper = std::max(implied.diameter.upper, upper_[v]);
    if (lower_[v] == upper_[v]) return;
    if (implied.farthest == kNoNode || upper_[v] > upper_[implied.farthest]) implied.farthest = v;
    if (implied.most_central == kNoNode || more_central(v, implied.most_central)) implied.most_central = v;
  }

  bool more_central(NodeId a, NodeId b) const {
    if (lower_[a] != lower_[b]) return lower_[a] < lower_[b];
    return arcs_at(a) > arcs_at(b);
  }

  void merge(const Implications& from, Implications& into) const {
    into.diameter.lower = std::max(into.diameter.lower, from.diameter.lower);
    into.diameter.upper = std::max(into.diameter.upper, from.diameter.upper);
    if (from.farthest != kNoNode) consider(from.farthest, into);
    if (from.most_central != kNoNode) consider(from.most_central, into);
  }

  const Graph& graph_;
  Array<std::int32_t> lower_;
  Array<std::int32_t> upper_;  ///< kOutside for nodes of other components
};

}  // namespace

DiameterBounds diameter_bounds(const Graph& graph, const Components& components) {
  if (graph.num_nodes() == 0) return {};
  EccentricityBounds bounds(graph, components, components.largest());
  const std::int64_t affordable = kCheapWork / (graph.num_nodes() + graph.num_arcs());
  const std::int64_t max_searches = std::max(kMinSearches, affordable);
  Implications implied = bounds.search_from(bounds.hub());
  for (std::int64_t searches = 1; searches < max_searches && !implied.diameter.exact(); ++searches) {
    // Alternating the two raises the lower bound and lowers the upper bound of the diameter.
    implied = bounds.search_from(searches % 2 == 1 ? implied.farthest : implied.most_central);
  }
  return implied.diameter;
}

DiameterBounds diameter_bounds(const Graph& graph) { return diameter_bounds(graph, connected_components(graph)); }

}  // namespace gir
