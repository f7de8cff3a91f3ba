#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"

namespace gir {

/// A sequence of sets of nodes.
struct GIR_API NodeSets {
  std::vector<NodeId> members;              ///< of all sets in order; ascending and distinct within a set
  std::vector<std::int64_t> offsets = {0};  ///< sets + 1: index of a set's first member

  std::int64_t size() const { return std::ssize(offsets) - 1; }
  std::span<const NodeId> operator[](std::int64_t set) const {
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]); };
    return std::span(members).subspan(at(set), at(set + 1) - at(set));
  }

  /// Appends a set; `nodes` are distinct, in any order.
  void add(std::span<const NodeId> nodes);
};

/// The random anchor sets of P-GNN (You et al., 2019): floor(log2 nodes) sizes nodes/2, nodes/4, ..., and floor(log2
/// nodes) sets of each size (for a single node, one set of that node). A function of the arguments alone.
GIR_API NodeSets draw_anchor_sets(std::int64_t nodes, std::uint64_t seed, std::uint64_t draw);

/// One set per node, in the order given: the fixed anchors of A-GNN.
GIR_API NodeSets singletons(std::span<const NodeId> nodes);

}  // namespace gir
