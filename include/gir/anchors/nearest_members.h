#pragma once

#include <cstdint>

#include "gir/anchors/distances.h"
#include "gir/anchors/node_sets.h"
#include "gir/core/array.h"
#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

inline constexpr NodeId kNoMember = -1;

/// For every node and set, the member of the set with the shortest path to the node (ties: the smallest) and the length
/// of that path. Both [nodes, sets]; kNoMember and kNotReached where no member has a path within the limit.
struct GIR_API NearestMembers {
  std::int64_t nodes = 0;
  std::int64_t sets = 0;
  Array<NodeId> members;
  Array<Hops> hops;

  NodeId member(NodeId node, std::int64_t set) const { return members[node * sets + set]; }
  Hops distance(NodeId node, std::int64_t set) const { return hops[node * sets + set]; }
};

/// s(u, v) = 1 / (d(u, v) + 1), and 0 where there is no path (You et al., "Position-aware graph neural networks",
/// 2019).
inline float closeness(Hops hops) { return hops == kNotReached ? 0.0f : 1.0f / (static_cast<float>(hops) + 1.0f); }

/// Finds nearest members on one graph for many collections of sets: P-GNN draws new sets before every training step.
class GIR_API NearestMemberSearch {
 public:
  struct Options {
    Hops max_hops = kMaxHops;                            ///< longer paths count as no path
    std::int64_t table_bytes = std::int64_t{256} << 20;  ///< store all distances where they take at most this
    DistanceSearch search = {};                          ///< computes them, see DistanceOptions
  };

  /// With a table of all distances, find() takes O(nodes * members) vectorised operations per set; without, a search of
  /// O(edges) per set. The results are the same. `graph` must outlive this object.
  NearestMemberSearch(const Graph& graph, const Options& options);
  explicit NearestMemberSearch(const Graph& graph) : NearestMemberSearch(graph, Options()) {}

  /// In parallel over the sets; the same result on any number of threads.
  NearestMembers find(const NodeSets& sets) const;

  bool has_table() const { return !hops_from_.empty(); }

 private:
  void search(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const;
  void look_up(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const;

  const Graph& graph_;
  Hops max_hops_;
  Array<Hops> hops_from_;  ///< [sources, nodes], all pairs; empty where the table would be too large
};

}  // namespace gir
