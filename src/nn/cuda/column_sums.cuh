#pragma once

#include <algorithm>
#include <cstdint>

#include "launch.h"

namespace gir::cuda {

// Sums of columns, in double and always in the same order: blocks of rows first, then all blocks.

inline constexpr int kSumColumns = 32;  ///< columns of a block
inline constexpr int kSumRows = 8;      ///< rows that a block reads at a time

/// Blocks that the rows are cut into; depends on the size alone.
inline std::int64_t row_blocks(std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kWantedBlocks = 2048;
  const std::int64_t panels = std::max<std::int64_t>(1, (columns + kSumColumns - 1) / kSumColumns);
  return std::clamp<std::int64_t>(rows / (4 * kSumRows), 1, std::max<std::int64_t>(1, kWantedBlocks / panels));
}

/// Adds up what the rows of threads of a block have found; row 0 gets the sums.
template <int kSums>
__device__ __forceinline__ void add_thread_rows(double (&sums)[kSums]) {
  __shared__ double shared[kSums][kSumRows][kSumColumns];
#pragma unroll
  for (int s = 0; s < kSums; ++s) shared[s][threadIdx.y][threadIdx.x] = sums[s];
  __syncthreads();
  if (threadIdx.y != 0) return;
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
    for (int row = 1; row < kSumRows; ++row) sums[s] += shared[s][row][threadIdx.x];
  }
}

/// `terms(row, column, sums)` adds the terms of one place.
template <int kSums, typename Terms>
__global__ void sum_row_block(Grid grid, Terms terms, double* partial) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.y) * kSumColumns + threadIdx.x;
  const std::int64_t begin = grid.rows * blockIdx.x / gridDim.x;
  const std::int64_t end = grid.rows * (blockIdx.x + 1) / gridDim.x;
  double sums[kSums] = {};
  if (column < grid.columns) {
#pragma unroll 4
    for (std::int64_t row = begin + threadIdx.y; row < end; row += kSumRows) terms(row, column, sums);
  }
  add_thread_rows(sums);
  if (threadIdx.y != 0 || column >= grid.columns) return;
#pragma unroll
  for (int s = 0; s < kSums; ++s) partial[(blockIdx.x * kSums + s) * grid.columns + column] = sums[s];
}

/// `finish(column, sums)` gets the totals.
template <int kSums, typename Finish>
__global__ void sum_blocks(std::int64_t columns, std::int64_t blocks, const double* partial, Finish finish) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kSumColumns + threadIdx.x;
  double sums[kSums] = {};
  if (column < columns) {
    for (std::int64_t block = threadIdx.y; block < blocks; block += kSumRows) {
#pragma unroll
      for (int s = 0; s < kSums; ++s) sums[s] += partial[(block * kSums + s) * columns + column];
    }
  }
  add_thread_rows(sums);
  if (threadIdx.y == 0 && column < columns) finish(column, sums);
}

/// Values of the room that column_sums() needs.
inline std::int64_t column_sums_room(const Grid& grid, int sums) {
  return row_blocks(grid.rows, grid.columns) * sums * grid.columns;
}

template <int kSums, typename Terms, typename Finish>
void column_sums(const Grid& grid, const Terms& terms, const Finish& finish, double* room, cudaStream_t stream) {
  if (grid.columns == 0) return;
  const dim3 threads(kSumColumns, kSumRows);
  const std::int64_t blocks = row_blocks(grid.rows, grid.columns);
  const unsigned panels = blocks_for(grid.columns, kSumColumns);
  sum_row_block<kSums><<<dim3(static_cast<unsigned>(blocks), panels), threads, 0, stream>>>(grid, terms, room);
  check(cudaGetLastError());
  sum_blocks<kSums><<<panels, threads, 0, stream>>>(grid.columns, blocks, room, finish);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
