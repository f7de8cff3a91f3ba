#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "gir/anchors/anchors.h"
#include "gir/graph/components.h"
#include "nearest_center.h"

namespace gir {
namespace {

constexpr std::int64_t kMaxBySize = 128;        ///< anchors of one component, where the number is chosen automatically
constexpr std::int64_t kSmallestComponent = 3;  ///< in smaller ones all nodes have the same position

/// The nodes of every component, the largest component first.
std::vector<std::vector<NodeId>> members_by_size(const Components& components) {
  std::vector<std::vector<NodeId>> members(static_cast<std::size_t>(components.count()));
  for (std::int64_t v = 0; v < components.of_node.size(); ++v) {
    members[static_cast<std::size_t>(components.of_node[v])].push_back(static_cast<NodeId>(v));
  }
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return members;
}

bool is_large(const std::vector<NodeId>& component) { return std::ssize(component) >= kSmallestComponent; }

/// Anchors per component: one for each large component as far as half of the anchors go, the others in proportion to
/// size, and what is left over one by one, the largest components first.
std::vector<std::int64_t> share_out(std::int64_t count, const std::vector<std::vector<NodeId>>& members) {
  std::vector<std::int64_t> shares(members.size(), 0);
  std::int64_t large = 0;
  std::int64_t nodes = 0;
  for (; large < std::ssize(members) && is_large(members[static_cast<std::size_t>(large)]); ++large) {
    nodes += std::ssize(members[static_cast<std::size_t>(large)]);
  }
  const std::int64_t one_each = std::min(large, (count + 1) / 2);
  const auto rest = static_cast<double>(count - one_each);
  // Where many small components raise the number of anchors, a large component would get most of them, and every anchor
  // costs a search of its component: its share is limited.
  const std::int64_t max_share = std::max(kMaxBySize, count - 2 * large);
  std::int64_t left = count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(large); ++i) {
    const std::int64_t first = static_cast<std::int64_t>(i) < one_each ? 1 : 0;
    const auto more =
        static_cast<std::int64_t>(rest * static_cast<double>(members[i].size()) / static_cast<double>(nodes));
    shares[i] = std::min({std::ssize(members[i]), first + more, max_share, left});
    left -= shares[i];
  }
  while (left > 0) {
    for (std::size_t i = 0; i < members.size() && left > 0; ++i) {
      if (shares[i] == std::ssize(members[i])) continue;
      ++shares[i];
      --left;
    }
  }
  return shares;
}

/// Farthest-first traversal of one component in which distance is multiplied by `weight`, the logarithm of the degree:
/// on a grid or a road network it spreads evenly, on a network with hubs it prefers hubs to the far ends of chains.
std::vector<NodeId> select_in(const std::vector<NodeId>& component, std::int64_t count, const Array<float>& weight,
                              NearestCenter& nearest) {
  std::vector<NodeId> selected;
  while (std::ssize(selected) < count) {
    NodeId best = component.front();
    float best_score = -1;
    for (const NodeId v : component) {
      const float score = static_cast<float>(nearest.distances()[v]) * weight[v];
      if (score > best_score) {
        best = v;
        best_score = score;
      }
    }
    selected.push_back(best);
    nearest.add(best);
  }
  return selected;
}

Array<float> logarithms_of_degrees(const Graph& graph) {
  Array<float> logarithms(graph.num_nodes());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    logarithms[v] = std::log2(2 + static_cast<float>(graph.out_degree(v)));
  }
  return logarithms;
}

/// The anchors of a component follow each other, those of the largest one first.
AnchorSelection select_spread(const Graph& given, const AnchorOptions& options) {
  std::optional<Graph> both_ways;
  if (given.directed()) both_ways = as_undirected(given);
  const Graph& graph = both_ways ? *both_ways : given;
  const auto members = members_by_size(connected_components(graph));
  const auto shares = share_out(options.count, members);
  const Array<float> weight = logarithms_of_degrees(graph);
  NearestCenter nearest(graph);
  AnchorSelection selection;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::vector<NodeId> selected = select_in(members[i], shares[i], weight, nearest);
    selection.anchors.insert(selection.anchors.end(), selected.begin(), selected.end());
  }
  return selection;
}

const Registered<AnchorStrategy> spread{{
    .name = "spread",
    .summary = "farthest-first in every component, with anchors in proportion to its size; distances are weighted by "
               "log degree",
    .select = select_spread,
}};

}  // namespace

std::int64_t automatic_anchor_count(const Graph& graph) {
  constexpr std::int64_t kMinBySize = 16;
  constexpr std::int64_t kMultiple = 8;
  const std::int64_t nodes = graph.num_nodes();
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(nodes)));
  const auto by_size = std::clamp(static_cast<std::int64_t>(std::bit_ceil(root)), kMinBySize, kMaxBySize);
  const Components components = connected_components(graph);
  const auto large = std::count_if(components.sizes.begin(), components.sizes.end(),
                                   [](std::int64_t size) { return size >= kSmallestComponent; });
  const std::int64_t wanted = std::max(by_size, 2 * large);
  return std::min(nodes, (wanted + kMultiple - 1) / kMultiple * kMultiple);
}

}  // namespace gir
