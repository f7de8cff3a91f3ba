#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gir::cuda {

/// InternalError with CUDA's own words unless the call, or the kernel that was launched last, is in order.
void check(cudaError_t error);

inline constexpr int kThreads = 256;  ///< of a block, where nothing speaks for another number

/// Blocks of `per_block` items that cover `items`; at least one.
inline unsigned blocks_for(std::int64_t items, std::int64_t per_block) {
  return static_cast<unsigned>(items == 0 ? 1 : (items + per_block - 1) / per_block);
}

/// Rows and columns of a matrix that threads share out: a thread a value, consecutive threads along a row.
struct Grid {
  std::int64_t rows;
  std::int64_t columns;
  constexpr std::int64_t size() const { return rows * columns; }
};

}  // namespace gir::cuda
