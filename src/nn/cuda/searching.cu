#include "searching.h"
#include "threads.cuh"

namespace gir::cuda {
namespace {

/// A word with the bits of all active searches set.
__device__ __forceinline__ std::uint64_t all_lanes(const SearchRows& rows, int word) {
  const int left = rows.lanes - 64 * word;
  if (left <= 0) return 0;
  return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

/// Bitwise OR over the threads of a warp that have the same word.
__device__ __forceinline__ std::uint64_t join_words(std::uint64_t value) {
#pragma unroll
  for (int distance = kLaneWords; distance < kWarp; distance *= 2) {
    value |= __shfl_xor_sync(kWholeWarp, value, distance);
  }
  return value;
}

}  // namespace

void begin_search(const SearchRows& rows, const SearchStart* starts, std::int64_t count, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(rows.nodes) * kLaneWords * sizeof(std::uint64_t);
  check(cudaMemsetAsync(rows.seen, 0, bytes, stream));
  check(cudaMemsetAsync(rows.frontier, 0, bytes, stream));
  const std::size_t table = static_cast<std::size_t>(rows.nodes) * static_cast<std::size_t>(rows.lanes);
  check(cudaMemsetAsync(rows.hops, 0xff, table * sizeof(std::int16_t), stream));
  for_each(count, stream, [=] __device__(std::int64_t i) {
    const auto [node, lane] = starts[i];
    const std::int64_t word = static_cast<std::int64_t>(node) * kLaneWords + lane / 64;
    const unsigned long long bit = 1ULL << (lane % 64);
    atomicOr(reinterpret_cast<unsigned long long*>(rows.seen + word), bit);
    atomicOr(reinterpret_cast<unsigned long long*>(rows.frontier + word), bit);
    rows.hops[static_cast<std::int64_t>(node) * rows.lanes + lane] = 0;
  });
}

/// One warp per node: its threads read eight neighbours at a time, one word each. Pulls from in-neighbours, so that no
/// atomic operations are needed; nodes that all searches have reached are skipped.
void advance_search(const SearchRows& rows, std::int16_t level, cudaStream_t stream) {
  check(cudaMemsetAsync(rows.any_new, 0, sizeof(int), stream));
  for_each_warp(rows.nodes, stream, [=] __device__(std::int64_t node, int lane) {
    const int word = lane % kLaneWords;
    const std::uint64_t seen = rows.seen[node * kLaneWords + word];
    std::uint64_t fresh = 0;
    if (__any_sync(kWholeWarp, seen != all_lanes(rows, word))) {
      for (EdgeId k = rows.offsets[node] + lane / kLaneWords; k < rows.offsets[node + 1]; k += kWarp / kLaneWords) {
        fresh |= rows.frontier[static_cast<std::int64_t>(rows.sources[k]) * kLaneWords + word];
      }
      __syncwarp();
      fresh = join_words(fresh) & ~seen;
    }
    if (lane < kLaneWords) {
      rows.next[node * kLaneWords + word] = fresh;
      if (fresh != 0) rows.seen[node * kLaneWords + word] = seen | fresh;
    }
    if (!__any_sync(kWholeWarp, fresh != 0)) return;
    if (lane == 0) *rows.any_new = 1;
    for (int first = 0; first < rows.lanes; first += kWarp) {
      const std::uint64_t bits = __shfl_sync(kWholeWarp, fresh, first / 64);  // thread w has word w
      const int search = first + lane;
      if (search < rows.lanes && (bits >> (search % 64) & 1) != 0) rows.hops[node * rows.lanes + search] = level;
    }
  });
}

}  // namespace gir::cuda
