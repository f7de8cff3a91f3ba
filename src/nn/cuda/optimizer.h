#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/nn/step_factors.h"

namespace gir::cuda {

/// The arrays of one parameter: see StepTensors.
struct StepArrays {
  const float* gradient;
  float* mean;
  float* square;
  float* value;
  std::int64_t size;
};

inline constexpr int kMaxStepArrays = 64;  ///< per launch: the list is a kernel argument, of at most 4 KiB

/// The first `count` arrays of a list.
struct StepList {
  StepArrays arrays[kMaxStepArrays];
  int count;
};

/// One Adam step for all arrays in a single launch. `factors` are in device memory.
void adam_step(const StepList& list, const StepFactors* factors, cudaStream_t stream);

/// Workspace of lamb_step().
struct LambWorkspace {
  float* updates;  ///< the values of all arrays, one after the other
  double* sums;    ///< [count, kLambBlocks, 2]
};
inline constexpr int kLambBlocks = 128;  ///< per array

void lamb_step(const StepList& list, const StepFactors* factors, const LambWorkspace& workspace, cudaStream_t stream);

}  // namespace gir::cuda
