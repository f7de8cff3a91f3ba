#pragma once

#include "epoch_stream.h"
#include "pack.cuh"

namespace gir::cuda {

/// NaN stays NaN, so that a broken run shows.
template <typename Real>
__device__ __forceinline__ Real relu(Real x) {
  return x <= 0 ? Real{0} : x;
}

__device__ __forceinline__ RandomStream read_stream(const EpochStream& stream) {
  return stream.shift == nullptr ? stream.recorded : stream.recorded.shifted(*stream.shift);
}

/// Drops some of the elements [first, first + kValues) of an array; `first` is a multiple of kValues.
template <int kValues, typename Real>
__device__ __forceinline__ void drop(const EpochDropout& dropout, std::int64_t first, Pack<Real, kValues>& pack) {
  static_assert(4 % kValues == 0, "one draw is enough");
  if (dropout.threshold == 0) return;
  const auto words = read_stream(dropout.stream).words(static_cast<std::uint64_t>(first / 4));
  const Real scale = static_cast<Real>(dropout.scale);
  const int offset = static_cast<int>(first % 4);
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    // Places that are known when the code is compiled keep the words in registers.
    std::uint32_t word = words[i];
    if constexpr (kValues < 4) {
#pragma unroll
      for (int k = 0; k < 4; ++k) word = offset + i == k ? words[k] : word;
    }
    pack.value[i] = word >= dropout.threshold ? pack.value[i] * scale : Real{0};
  }
}

}  // namespace gir::cuda
