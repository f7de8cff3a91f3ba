#include "gir/graph/add_nodes.h"

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

/// All names in ascending order, and the new number of every old node.
struct MergedNames {
  NodeNames names;
  std::vector<NodeId> new_number;
};

/// `key(node)` is the name of an old node.
template <typename Name, typename Key>
std::vector<NodeId> merge(std::vector<Name>& all, std::int64_t old_nodes, const Key& key) {
  for (std::int64_t i = 0; i < old_nodes; ++i) all.push_back(key(static_cast<NodeId>(i)));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<NodeId> numbers(static_cast<std::size_t>(old_nodes));
  for (std::int64_t i = 0; i < old_nodes; ++i) {
    const auto found = std::lower_bound(all.begin(), all.end(), key(static_cast<NodeId>(i)));
    numbers[static_cast<std::size_t>(i)] = static_cast<NodeId>(found - all.begin());
  }
  return numbers;
}

MergedNames merge_names(const NodeNames& old, const std::vector<std::string>& ids) {
  if (old.kind() == NodeNames::Kind::kStrings) {
    std::vector<std::string> all(ids.begin(), ids.end());
    auto numbers = merge(all, old.size(), [&](NodeId node) { return old.name(node); });
    return {NodeNames::strings(all), std::move(numbers)};
  }
  std::vector<std::int64_t> all;
  for (const std::string& id : ids) {
    const auto number = parse_integer(id);
    if (!number) throw UserError("{} cannot be the id of a node: the others are whole numbers", quoted(id));
    all.push_back(*number);
  }
  auto numbers = merge(all, old.size(), [&](NodeId node) { return old.integer(node); });
  return {NodeNames::integers(Array<std::int64_t>(std::span<const std::int64_t>(all))), std::move(numbers)};
}

}  // namespace

Graph add_nodes(const Graph& graph, const std::vector<std::string>& ids) {
  const auto [names, number] = merge_names(graph.names(), ids);
  const auto renumbered = [&number = number](NodeId node) { return number[static_cast<std::size_t>(node)]; };
  std::vector<Arc> arcs;
  std::vector<float> weights;
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    const auto row = graph.out_neighbors(u);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!graph.directed() && row[i] < u) continue;
      arcs.push_back({renumbered(u), renumbered(row[i])});
      if (graph.weighted()) weights.push_back(graph.out().row_weights(u)[i]);
    }
  }
  for (std::size_t i = 0; i < graph.self_loops().size(); ++i) {
    const NodeId node = renumbered(graph.self_loops()[i]);
    arcs.push_back({node, node});
    if (graph.weighted()) weights.push_back(graph.self_loop_weights()[i]);
  }
  return build_graph({.arcs = Array<Arc>(std::span<const Arc>(arcs)),
                      .weights = Array<float>(std::span<const float>(weights)),
                      .directed = graph.directed(),
                      .names = names.clone()});
}

}  // namespace gir
