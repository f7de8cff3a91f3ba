#pragma once

#include <cstdint>
#include <limits>

namespace gir {

/// Position of a node inside a graph, 0 .. num_nodes - 1. Signed 32 bits, so that tensors can hold it.
using NodeId = std::int32_t;

/// Position or number of edges; graphs may have far more edges than nodes.
using EdgeId = std::int64_t;

/// A graph has at most this many nodes (2^31 - 1), so that one past the last node is a NodeId too.
inline constexpr std::int64_t kMaxNodes = std::numeric_limits<NodeId>::max();

/// One directed edge.
struct Arc {
  NodeId source;
  NodeId target;

  friend bool operator==(const Arc&, const Arc&) = default;
  friend auto operator<=>(const Arc&, const Arc&) = default;
};

}  // namespace gir
