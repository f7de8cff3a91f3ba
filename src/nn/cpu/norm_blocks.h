#pragma once

#include <cstdint>

namespace gir::cpu {

// How the rows of norms are cut up: cheap rows, and a partial sum a chunk.
inline constexpr std::int64_t kMostNormChunks = 64;
inline constexpr std::int64_t kRowsPerNormChunk = 256;
inline constexpr std::int64_t kRowsPerNormBlock = 64;

}  // namespace gir::cpu
