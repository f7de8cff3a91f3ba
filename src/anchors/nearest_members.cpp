#include "gir/anchors/nearest_members.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"

namespace gir {
namespace {

/// Members are counted in 16 bits where the table answers.
constexpr std::int64_t kMostTableNodes = std::numeric_limits<std::uint16_t>::max();

/// As an unsigned number kNotReached is farther than any distance.
static_assert(static_cast<std::uint16_t>(kNotReached) == std::numeric_limits<std::uint16_t>::max());

/// Keeps the lesser distance of every node, and whose it is.
GIR_VECTORISED void take_nearer(const Hops* hops, std::uint16_t member, std::int64_t nodes, std::uint16_t* nearest,
                                std::uint16_t* nearest_member) {
  for (std::int64_t v = 0; v < nodes; ++v) {
    const auto distance = static_cast<std::uint16_t>(hops[v]);
    const bool nearer = distance < nearest[v];
    nearest[v] = nearer ? distance : nearest[v];
    nearest_member[v] = nearer ? member : nearest_member[v];
  }
}

void transpose_square(Array<Hops>& values, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::int64_t j = 0; j < i; ++j) std::swap(values[i * size + j], values[j * size + i]);
  }
}

/// Distances between all pairs, a source's together.
Array<Hops> all_pairs(const Graph& graph, Hops most_hops) {
  std::vector<NodeId> everyone(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(everyone.begin(), everyone.end(), 0);
  Array<Hops> hops = source_distances(graph, everyone, {.most_hops = most_hops}).hops;
  if (graph.directed()) transpose_square(hops, graph.num_nodes());
  return hops;
}

}  // namespace

NearestMemberSearch::NearestMemberSearch(const Graph& graph, const Options& options)
    : graph_(graph), most_hops_(options.most_hops) {
  const std::int64_t nodes = graph.num_nodes();
  const auto bytes_a_row = nodes * static_cast<std::int64_t>(sizeof(Hops));
  if (nodes <= kMostTableNodes && nodes * bytes_a_row <= options.table_bytes) hops_from_ = all_pairs(graph, most_hops_);
}

NearestMembers NearestMemberSearch::find(const NodeSets& sets) const {
  NearestMembers result{.nodes = graph_.num_nodes(),
                        .sets = sets.size(),
                        .members = Array<NodeId>(graph_.num_nodes() * sets.size()),
                        .hops = Array<Hops>(graph_.num_nodes() * sets.size())};
  parallel_blocks(sets.size(), [&](std::int64_t set) {
    has_table() ? look_up(sets[set], set, result) : search(sets[set], set, result);
  });
  return result;
}

void NearestMemberSearch::look_up(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const {
  const std::int64_t nodes = graph_.num_nodes();
  std::vector<std::uint16_t> nearest(static_cast<std::size_t>(nodes), static_cast<std::uint16_t>(kNotReached));
  std::vector<std::uint16_t> nearest_member(static_cast<std::size_t>(nodes), 0);
  for (std::size_t i = 0; i < members.size(); ++i) {
    take_nearer(hops_from_.data() + members[i] * nodes, static_cast<std::uint16_t>(i), nodes, nearest.data(),
                nearest_member.data());
  }
  for (std::int64_t v = 0; v < nodes; ++v) {
    const auto hops = static_cast<Hops>(nearest[static_cast<std::size_t>(v)]);
    result.hops[v * result.sets + set] = hops;
    result.members[v * result.sets + set] =
        hops == kNotReached ? kNoMember : members[nearest_member[static_cast<std::size_t>(v)]];
  }
}

void NearestMemberSearch::search(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const {
  const std::int64_t nodes = graph_.num_nodes();
  std::vector<Hops> hops(static_cast<std::size_t>(nodes), kNotReached);
  std::vector<NodeId> member(static_cast<std::size_t>(nodes), kNoMember);
  std::vector<NodeId> level(members.begin(), members.end());
  for (const NodeId node : members) {
    hops[static_cast<std::size_t>(node)] = 0;
    member[static_cast<std::size_t>(node)] = node;
  }
  std::vector<NodeId> next;
  for (Hops distance = 1; distance <= most_hops_ && !level.empty(); ++distance) {
    next.clear();
    for (const NodeId node : level) {
      const NodeId nearest = member[static_cast<std::size_t>(node)];
      for (const NodeId neighbor : graph_.out_neighbors(node)) {
        const auto at = static_cast<std::size_t>(neighbor);
        if (hops[at] == kNotReached) {
          hops[at] = distance;
          member[at] = nearest;
          next.push_back(neighbor);
        } else if (hops[at] == distance) {
          // Every nearest member of a node is the nearest of one of its neighbours a level before.
          member[at] = std::min(member[at], nearest);
        }
      }
    }
    std::swap(level, next);
    if (distance == kMostHops) break;
  }
  for (std::int64_t v = 0; v < nodes; ++v) {
    result.hops[v * result.sets + set] = hops[static_cast<std::size_t>(v)];
    result.members[v * result.sets + set] = member[static_cast<std::size_t>(v)];
  }
}

}  // namespace gir
