#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gir/core/types.h"
#include "payload.h"

namespace gir::html {

/// The nodes and edges of a run that are drawn.
struct DrawnGraph {
  std::span<const NodeId> nodes;
  std::span<const std::uint32_t> sources;  ///< of the edges, as indices into `nodes`
  std::span<const std::uint32_t> targets;
};

/// The layer in which every drawn node receives its first message, and every drawn edge carries one; 255 for never.
struct FrontierMarks {
  std::vector<std::uint8_t> arrival;
  std::vector<std::uint8_t> carries;
  std::int32_t layers = 0;
};

/// Nothing where no message starts from anchors.
std::optional<FrontierMarks> frontier_marks(const MapInput& input, const DrawnGraph& drawn);

}  // namespace gir::html
