#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "gir/core/export.h"

namespace gir {

/// Index of a node in a graph, 0 .. num_nodes - 1. Signed 32 bits, because tensors have no unsigned type of that width.
using NodeId = std::int32_t;

/// Index of an edge, or a number of edges; graphs may have many more edges than nodes.
using EdgeId = std::int64_t;

/// A graph has at most this many nodes (2^31 - 1), so that one past the last node is a NodeId too.
inline constexpr std::int64_t kMaxNodes = std::numeric_limits<NodeId>::max();

/// One directed edge.
struct GIR_API Arc {
  NodeId source;
  NodeId target;

  friend bool operator==(const Arc&, const Arc&) = default;
  friend auto operator<=>(const Arc&, const Arc&) = default;
};

}  // namespace gir
