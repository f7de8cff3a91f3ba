#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/types.h"

namespace gir {

/// Sets of nodes, one after the other.
struct NodeSets {
  std::vector<NodeId> members;              ///< set after set, ascending and distinct inside a set
  std::vector<std::int64_t> offsets = {0};  ///< sets + 1: where a set's members begin

  std::int64_t size() const { return std::ssize(offsets) - 1; }
  std::span<const NodeId> operator[](std::int64_t set) const {
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]); };
    return std::span(members).subspan(at(set), at(set + 1) - at(set));
  }

  /// One more set; `nodes` are distinct, in any order.
  void add(std::span<const NodeId> nodes);
};

/// The random sets of P-GNN: floor(log2 nodes) sizes nodes/2, nodes/4, ..., and as many sets of each size (one
/// node is one set of one). A function of seed and draw alone.
NodeSets draw_anchor_sets(std::int64_t nodes, std::uint64_t seed, std::uint64_t draw);

/// Every node a set of its own, in the order given: the fixed anchors of A-GNN.
NodeSets singletons(std::span<const NodeId> nodes);

}  // namespace gir
