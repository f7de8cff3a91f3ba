#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/nn/adam_factors.h"

namespace gir::cuda {

struct AdamArrays {
  const float* gradient;
  float* mean;
  float* square;
  float* value;
  std::int64_t size;
};

inline constexpr int kMostAdamArrays = 64;  ///< of one launch: what fits into a kernel's arguments

struct AdamList {
  AdamArrays arrays[kMostAdamArrays];
};

/// One step for the first `count` arrays of the list.
void adam_step(const AdamList& list, int count, const AdamFactors& factors, cudaStream_t stream);

}  // namespace gir::cuda
