#include "gir/anchors/nearest_members.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"

namespace gir {
namespace {

/// With a table, members are counted in 16 bits.
constexpr std::int64_t kMaxTableNodes = std::numeric_limits<std::uint16_t>::max();

/// As an unsigned number, kNotReached is larger than every distance.
static_assert(static_cast<std::uint16_t>(kNotReached) == std::numeric_limits<std::uint16_t>::max());

/// Number of members whose distances are compared in one pass, which reads and writes the current minimum only once.
constexpr std::size_t kMembersAtOnce = 4;

/// Updates the smallest distance of every node and the number of its member with kMembersAtOnce members, the first of
/// which has the number `first`. Without branches, so that it vectorises.
GIR_VECTORISED void take_nearest(const Hops* const* hops, std::uint16_t first, std::int64_t nodes,
                                 std::uint16_t* __restrict nearest, std::uint16_t* __restrict nearest_member) {
  static_assert(kMembersAtOnce == 4);
  const Hops* __restrict hops0 = hops[0];
  const Hops* __restrict hops1 = hops[1];
  const Hops* __restrict hops2 = hops[2];
  const Hops* __restrict hops3 = hops[3];
  for (std::int64_t v = 0; v < nodes; ++v) {
    std::uint16_t least = nearest[v];
    std::uint16_t member = nearest_member[v];
    const auto take = [&](Hops hop, int offset) {
      const auto distance = static_cast<std::uint16_t>(hop);
      const bool nearer = distance < least;
      least = nearer ? distance : least;
      member = nearer ? static_cast<std::uint16_t>(first + offset) : member;
    };
    take(hops0[v], 0);
    take(hops1[v], 1);
    take(hops2[v], 2);
    take(hops3[v], 3);
    nearest[v] = least;
    nearest_member[v] = member;
  }
}

void transpose_square(Array<Hops>& values, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) {
    for (std::int64_t j = 0; j < i; ++j) std::swap(values[i * size + j], values[j * size + i]);
  }
}

/// Distances between all pairs, [sources, nodes].
Array<Hops> all_pairs(const Graph& graph, const NearestMemberSearch::Options& options) {
  std::vector<NodeId> all_nodes(static_cast<std::size_t>(graph.num_nodes()));
  std::iota(all_nodes.begin(), all_nodes.end(), 0);
  Array<Hops> hops = source_distances(graph, all_nodes, {.max_hops = options.max_hops, .search = options.search}).hops;
  // The table is [nodes, sources], which is the same for an undirected graph.
  if (graph.directed()) transpose_square(hops, graph.num_nodes());
  return hops;
}

}  // namespace

NearestMemberSearch::NearestMemberSearch(const Graph& graph, const Options& options)
    : graph_(graph), max_hops_(options.max_hops) {
  const std::int64_t nodes = graph.num_nodes();
  const auto bytes_per_row = nodes * static_cast<std::int64_t>(sizeof(Hops));
  if (nodes <= kMaxTableNodes && nodes * bytes_per_row <= options.table_bytes) hops_from_ = all_pairs(graph, options);
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
  for (std::size_t first = 0; first < members.size(); first += kMembersAtOnce) {
    std::array<const Hops*, kMembersAtOnce> hops;
    // The last group is filled up with the last member, which changes nothing: it is not nearer than itself.
    for (std::size_t i = 0; i < kMembersAtOnce; ++i) {
      hops[i] = hops_from_.data() + members[std::min(first + i, members.size() - 1)] * nodes;
    }
    take_nearest(hops.data(), static_cast<std::uint16_t>(first), nodes, nearest.data(), nearest_member.data());
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
  for (Hops distance = 1; distance <= max_hops_ && !level.empty(); ++distance) {
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
          // A nearest member of a node is a nearest member of one of its in-neighbours at the level before, so that
          // the minimum over these is the smallest of all nearest members.
          member[at] = std::min(member[at], nearest);
        }
      }
    }
    std::swap(level, next);
    if (distance == kMaxHops) break;
  }
  for (std::int64_t v = 0; v < nodes; ++v) {
    result.hops[v * result.sets + set] = hops[static_cast<std::size_t>(v)];
    result.members[v * result.sets + set] = member[static_cast<std::size_t>(v)];
  }
}

}  // namespace gir
