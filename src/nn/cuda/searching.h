#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/core/types.h"

namespace gir::cuda {

inline constexpr int kLaneWords = 4;
inline constexpr int kSearchLanes = 64 * kLaneWords;  ///< searches that run together

/// Bit-parallel breadth-first searches: every node has one bit per search ("lane").
struct SearchRows {
  std::int64_t nodes;
  const EdgeId* offsets;    ///< CSR offsets of the in-neighbours
  const NodeId* sources;    ///< in-neighbours
  std::uint64_t* seen;      ///< [nodes, kLaneWords]: searches that have reached the node
  std::uint64_t* frontier;  ///< the same: reached in the previous step
  std::uint64_t* next;      ///< the same: reached in this step
  std::int16_t* hops;       ///< [nodes, lanes]
  int lanes;                ///< number of active searches
  int* any_new;             ///< set to 1 if any search has reached a new node
};

/// A source node of a search.
struct SearchStart {
  NodeId node;
  std::int32_t lane;
};

/// Initialises all arrays with the source nodes.
void begin_search(const SearchRows& rows, const SearchStart* starts, std::int64_t count, cudaStream_t stream);

/// One level of all searches; `level` is the distance of the new nodes from the sources.
void advance_search(const SearchRows& rows, std::int16_t level, cudaStream_t stream);

}  // namespace gir::cuda
