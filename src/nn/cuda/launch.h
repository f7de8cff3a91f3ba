#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gir::cuda {

/// Throws InternalError with CUDA's message for errors of a call or a kernel launch; std::bad_alloc if out of memory.
void check(cudaError_t error);

inline constexpr int kThreads = 256;  ///< default block size

/// Blocks of `per_block` items that cover `items`; at least one.
inline unsigned blocks_for(std::int64_t items, std::int64_t per_block) {
  return static_cast<unsigned>(items == 0 ? 1 : (items + per_block - 1) / per_block);
}

/// Shape of a matrix that is processed with one thread per value, consecutive threads along a row.
struct Grid {
  std::int64_t rows;
  std::int64_t columns;
  constexpr std::int64_t size() const { return rows * columns; }
};

}  // namespace gir::cuda
