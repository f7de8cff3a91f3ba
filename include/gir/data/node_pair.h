#pragma once

#include <compare>

#include "gir/core/export.h"
#include "gir/core/types.h"

namespace gir {

/// An unordered pair of different nodes: first < second.
struct GIR_API NodePair {
  NodeId first;
  NodeId second;

  friend bool operator==(const NodePair&, const NodePair&) = default;
  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

inline NodePair make_pair_of(NodeId a, NodeId b) { return a < b ? NodePair{a, b} : NodePair{b, a}; }

}  // namespace gir
