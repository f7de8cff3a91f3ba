#pragma once

#include <cstdint>

#include "launch.h"

namespace gir::cuda {

inline constexpr unsigned kWholeWarp = 0xffffffff;
inline constexpr int kWarp = 32;

/// Global index of a thread.
__device__ __forceinline__ std::int64_t thread_number() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// The sum over a warp, in a fixed order; valid in all of its threads.
template <typename Number>
__device__ __forceinline__ Number warp_sum(Number value) {
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(kWholeWarp, value, distance);
  return value;
}

/// Calls `body(i)` for every i below `count`, with one thread each.
template <typename Body>
__global__ void each_kernel(std::int64_t count, Body body) {
  const std::int64_t i = thread_number();
  if (i < count) body(i);
}

template <typename Body>
void for_each(std::int64_t count, cudaStream_t stream, const Body& body) {
  if (count == 0) return;
  each_kernel<<<blocks_for(count, kThreads), kThreads, 0, stream>>>(count, body);
  check(cudaGetLastError());
}

/// Calls `body(row, lane)` for every row, with one warp each.
template <typename Body>
__global__ void each_warp_kernel(std::int64_t rows, Body body) {
  const std::int64_t row = thread_number() / kWarp;
  if (row < rows) body(row, static_cast<int>(threadIdx.x % kWarp));
}

template <typename Body>
void for_each_warp(std::int64_t rows, cudaStream_t stream, const Body& body) {
  if (rows == 0) return;
  each_warp_kernel<<<blocks_for(rows, kThreads / kWarp), kThreads, 0, stream>>>(rows, body);
  check(cudaGetLastError());
}

/// Calls `body(position, factors)` for every pack of kValues values of a matrix; `position` is the index of its first
/// value, and `factors` the result of `prepare(column)`, which is called once for all rows of a thread.
template <int kValues, typename Prepare, typename Body>
__global__ void column_packs_kernel(Grid grid, Prepare prepare, Body body) {
  const std::int64_t column = (static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x) * kValues;
  if (column >= grid.columns) return;
  const auto factors = prepare(column);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.y;
#pragma unroll 4
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y; row < grid.rows;
       row += step) {
    body(row * grid.columns + column, factors);
  }
}

template <int kValues, typename Prepare, typename Body>
void for_each_column_pack(const Grid& grid, cudaStream_t stream, const Prepare& prepare, const Body& body) {
  if (grid.size() == 0) return;
  constexpr std::int64_t kRowsPerThread = 8;
  const std::int64_t packs = grid.columns / kValues;
  unsigned across = 1;
  while (across < 64 && across < packs) across *= 2;
  const unsigned down = kThreads / across;
  const dim3 blocks(blocks_for(grid.rows, down * kRowsPerThread), blocks_for(packs, across));
  column_packs_kernel<kValues><<<blocks, dim3(across, down), 0, stream>>>(grid, prepare, body);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
