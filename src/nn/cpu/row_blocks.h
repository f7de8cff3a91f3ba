#pragma once

#include <algorithm>
#include <cstdint>

#include "partial_sums.h"

namespace gir::cpu {

inline constexpr std::int64_t kRowsPerBlock = 256;  ///< of one matrix product: its operands fit into the cache
inline constexpr std::int64_t kMaxChunks = 64;      ///< each has its own partial sum

/// Calls `body(begin, end)` for blocks of rows of a range, in order.
template <typename Body>
void for_each_block(std::int64_t begin, std::int64_t end, const Body& body) {
  for (std::int64_t first = begin; first < end; first += kRowsPerBlock) {
    body(first, std::min(first + kRowsPerBlock, end));
  }
}

/// for_each_chunk() with a chunk size for matrix products, whose rows are expensive.
template <typename Body>
std::int64_t for_each_chunk(std::int64_t rows, const Body& body) {
  return for_each_chunk(rows, kMaxChunks, 4 * kRowsPerBlock, body);
}

}  // namespace gir::cpu
