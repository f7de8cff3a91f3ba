#pragma once

#include <cstdint>

namespace gir::cpu {

// Division of rows for normalisation: rows are cheap, and every chunk has its own partial sum.
inline constexpr std::int64_t kMaxNormChunks = 64;
inline constexpr std::int64_t kRowsPerNormChunk = 256;
inline constexpr std::int64_t kRowsPerNormBlock = 64;

}  // namespace gir::cpu
