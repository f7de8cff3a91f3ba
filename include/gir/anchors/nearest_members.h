#pragma once

#include <cstdint>

#include "gir/anchors/distances.h"
#include "gir/anchors/node_sets.h"
#include "gir/core/array.h"
#include "gir/core/types.h"
#include "gir/graph/graph.h"

namespace gir {

inline constexpr NodeId kNoMember = -1;

/// For every node and set the member with the shortest way to the node (ties: the smallest), and its length. Both
/// [nodes, sets]; kNoMember and kNotReached where no member has a way within the limit.
struct NearestMembers {
  std::int64_t nodes = 0;
  std::int64_t sets = 0;
  Array<NodeId> members;
  Array<Hops> hops;

  NodeId member(NodeId node, std::int64_t set) const { return members[node * sets + set]; }
  Hops distance(NodeId node, std::int64_t set) const { return hops[node * sets + set]; }
};

/// s(u, v) = 1 / (d(u, v) + 1), and 0 where there is no way.
inline float closeness(Hops hops) { return hops == kNotReached ? 0.0f : 1.0f / (static_cast<float>(hops) + 1.0f); }

/// Answers for one set collection after the other (P-GNN draws new ones before every step) on one graph.
class NearestMemberSearch {
 public:
  struct Options {
    Hops most_hops = kMostHops;                          ///< ways that are longer do not count
    std::int64_t table_bytes = std::int64_t{256} << 20;  ///< keep all pairs' distances where they take no more
    DistanceSearch search = {};                          ///< finds them, see DistanceOptions
  };

  /// With a table an answer costs O(nodes * members) vectorised steps; without, a search of O(edges) a set. Both
  /// give the same. `graph` must outlive this.
  NearestMemberSearch(const Graph& graph, const Options& options);
  explicit NearestMemberSearch(const Graph& graph) : NearestMemberSearch(graph, Options()) {}

  /// In parallel over sets; the same on any number of threads.
  NearestMembers find(const NodeSets& sets) const;

  bool has_table() const { return !hops_from_.empty(); }

 private:
  void search(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const;
  void look_up(std::span<const NodeId> members, std::int64_t set, NearestMembers& result) const;

  const Graph& graph_;
  Hops most_hops_;
  Array<Hops> hops_from_;  ///< [sources, nodes], all pairs; empty where a search answers
};

}  // namespace gir
