#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/core/types.h"

namespace gir::cuda {

inline constexpr int kLaneWords = 4;
inline constexpr int kSearchLanes = 64 * kLaneWords;  ///< sources of one search

/// Many searches at once: every node has a bit for each of them.
struct SearchRows {
  std::int64_t nodes;
  const EdgeId* offsets;    ///< of the arcs that lead to a node
  const NodeId* sources;    ///< where they come from
  std::uint64_t* seen;      ///< [nodes, kLaneWords]: searches that were here
  std::uint64_t* frontier;  ///< the same: that came here with the last step
  std::uint64_t* next;      ///< the same: that come here with this one
  std::int16_t* hops;       ///< [nodes, lanes]
  int lanes;                ///< searches under way
  int* any_new;             ///< becomes 1 where any of them goes on
};

/// A node that a search begins at.
struct SearchStart {
  NodeId node;
  std::int32_t lane;
};

/// Clears everything and enters the starts.
void begin_search(const SearchRows& rows, const SearchStart* starts, std::int64_t count, cudaStream_t stream);

/// One hop further; `level` hops from the starts.
void advance_search(const SearchRows& rows, std::int16_t level, cudaStream_t stream);

}  // namespace gir::cuda
