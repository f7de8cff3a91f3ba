#pragma once

#include <algorithm>
#include <cstdint>

#include "gir/core/parallel.h"

namespace gir::cpu {

inline constexpr std::int64_t kRowsPerBlock = 256;  ///< of one matrix product: its operands stay in the cache
inline constexpr std::int64_t kMostChunks = 64;     ///< each has a partial sum of its own

/// Calls `body(begin, end)` for blocks of rows of a range, in order.
template <typename Body>
void for_each_block(std::int64_t begin, std::int64_t end, const Body& body) {
  for (std::int64_t first = begin; first < end; first += kRowsPerBlock) {
    body(first, std::min(first + kRowsPerBlock, end));
  }
}

/// Calls `body(chunk, begin, end)` for at most kMostChunks chunks that cover all rows, in parallel. Borders depend on
/// the number of rows alone. Returns the number of chunks, at least 1.
template <typename Body>
std::int64_t for_each_chunk(std::int64_t rows, const Body& body) {
  const std::int64_t chunks = std::clamp<std::int64_t>(num_blocks(rows, 4 * kRowsPerBlock), 1, kMostChunks);
  const std::int64_t grain = num_blocks(rows, chunks);
  parallel_blocks(chunks, [&](std::int64_t chunk) {
    body(chunk, std::min(rows, chunk * grain), std::min(rows, (chunk + 1) * grain));
  });
  return chunks;
}

}  // namespace gir::cpu
