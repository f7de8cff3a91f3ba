#pragma once

#include "epoch_stream.h"
#include "pack.cuh"

namespace gir::cuda {

/// NaN stays NaN, so that a diverged run is visible.
template <typename Real>
__device__ __forceinline__ Real relu(Real x) {
  return x <= 0 ? Real{0} : x;
}

/// The random stream of the current epoch: in a replay the captured one is shifted.
__device__ __forceinline__ RandomStream read_stream(const EpochStream& stream) {
  return stream.shift == nullptr ? stream.captured : stream.captured.shifted(*stream.shift);
}

/// Applies dropout to the elements [first, first + kValues) of an array; `first` is a multiple of kValues.
template <int kValues, typename Real>
__device__ __forceinline__ void drop(const EpochDropout& dropout, std::int64_t first, Pack<Real, kValues>& pack) {
  static_assert(4 % kValues == 0, "one index of the stream gives four words");
  if (dropout.threshold == 0) return;
  const auto words = read_stream(dropout.stream).words(static_cast<std::uint64_t>(first / 4));
  const Real scale = static_cast<Real>(dropout.scale);
  const int offset = static_cast<int>(first % 4);
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    // Only compile-time indices keep the words in registers; a runtime index would move them to local memory.
    std::uint32_t word = words[i];
    if constexpr (kValues < 4) {
#pragma unroll
      for (int k = 0; k < 4; ++k) word = offset + i == k ? words[k] : word;
    }
    pack.value[i] = word >= dropout.threshold ? pack.value[i] * scale : Real{0};
  }
}

}  // namespace gir::cuda
