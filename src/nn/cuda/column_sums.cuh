#pragma once

#include <algorithm>
#include <cstdint>

#include "launch.h"

namespace gir::cuda {

// Column sums in double and in a fixed order (deterministic): per block of rows first, then over the blocks.

inline constexpr int kSumThreads = 32;  ///< threads of a block along a row
inline constexpr int kSumRows = 8;      ///< rows that a block reads at a time
inline constexpr int kTotalRows = 32;   ///< partial sums that a block reads at a time

/// Number of blocks of rows. Depends on the size of the matrix only, so that results do not depend on the GPU.
inline std::int64_t row_blocks(const Grid& grid, int values) {
  constexpr std::int64_t kWantedBlocks = 1056;  // eight per multiprocessor of an H100 or H200
  const std::int64_t panels =
      std::max<std::int64_t>(1, (grid.columns + kSumThreads * values - 1) / (kSumThreads * values));
  return std::clamp<std::int64_t>(grid.rows / (4 * kSumRows), 1, std::max<std::int64_t>(1, kWantedBlocks / panels));
}

/// Sums over the rows of threads of a block; valid in row 0.
template <int kRows, int kSums>
__device__ __forceinline__ void add_thread_rows(double (&sums)[kSums]) {
  __shared__ double shared[kSums][kRows][kSumThreads];
#pragma unroll
  for (int s = 0; s < kSums; ++s) shared[s][threadIdx.y][threadIdx.x] = sums[s];
  __syncthreads();
  if (threadIdx.y != 0) return;
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
    for (int row = 1; row < kRows; ++row) sums[s] += shared[s][row][threadIdx.x];
  }
}

/// Partial sums of one block of rows. A thread sums kValues columns: `terms(position, factors, sums)` adds the terms of
/// the pack of values that starts at `position`; sum s of value k is sums[s * kValues + k]. `factors` is the result of
/// `prepare(column)`, which is called once per thread.
template <int kSums, int kValues, typename Prepare, typename Terms>
__global__ void sum_row_block(Grid grid, Prepare prepare, Terms terms, double* partial) {
  const std::int64_t column = (static_cast<std::int64_t>(blockIdx.y) * kSumThreads + threadIdx.x) * kValues;
  const std::int64_t begin = grid.rows * blockIdx.x / gridDim.x;
  const std::int64_t end = grid.rows * (blockIdx.x + 1) / gridDim.x;
  double sums[kSums * kValues] = {};
  if (column < grid.columns) {
    const auto factors = prepare(column);
#pragma unroll 4
    for (std::int64_t row = begin + threadIdx.y; row < end; row += kSumRows) {
      terms(row * grid.columns + column, factors, sums);
    }
  }
  add_thread_rows<kSumRows>(sums);
  if (threadIdx.y != 0 || column >= grid.columns) return;
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
#pragma unroll
    for (int k = 0; k < kValues; ++k) {
      partial[(blockIdx.x * kSums + s) * grid.columns + column + k] = sums[s * kValues + k];
    }
  }
}

/// Adds the partial sums of all blocks and passes the totals to `finish(column, sums)`.
template <int kSums, typename Finish>
__global__ void sum_blocks(std::int64_t columns, std::int64_t blocks, const double* partial, Finish finish) {
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kSumThreads + threadIdx.x;
  double sums[kSums] = {};
  if (column < columns) {
#pragma unroll 4
    for (std::int64_t block = threadIdx.y; block < blocks; block += kTotalRows) {
#pragma unroll
      for (int s = 0; s < kSums; ++s) sums[s] += partial[(block * kSums + s) * columns + column];
    }
  }
  add_thread_rows<kTotalRows>(sums);
  if (threadIdx.y == 0 && column < columns) finish(column, sums);
}

/// Size of the workspace of column_sums() for any pack size.
inline std::int64_t column_sums_workspace(const Grid& grid, int sums) {
  return std::max({row_blocks(grid, 1), row_blocks(grid, 2), row_blocks(grid, 4)}) * sums * grid.columns;
}

/// kSums sums per column; see sum_row_block() and sum_blocks() for the arguments.
template <int kSums, int kValues, typename Prepare, typename Terms, typename Finish>
void column_sums(const Grid& grid, const Prepare& prepare, const Terms& terms, const Finish& finish, double* workspace,
                 cudaStream_t stream) {
  if (grid.columns == 0) return;
  const dim3 threads(kSumThreads, kSumRows);
  const std::int64_t blocks = row_blocks(grid, kValues);
  const dim3 all(static_cast<unsigned>(blocks), blocks_for(grid.columns, kSumThreads * kValues));
  sum_row_block<kSums, kValues><<<all, threads, 0, stream>>>(grid, prepare, terms, workspace);
  check(cudaGetLastError());
  sum_blocks<kSums><<<blocks_for(grid.columns, kSumThreads), dim3(kSumThreads, kTotalRows), 0, stream>>>(
      grid.columns, blocks, workspace, finish);
  check(cudaGetLastError());
}

}  // namespace gir::cuda
