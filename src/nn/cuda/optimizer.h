#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gir/nn/step_factors.h"

namespace gir::cuda {

struct StepArrays {
  const float* gradient;
  float* mean;
  float* square;
  float* value;
  std::int64_t size;
};

inline constexpr int kMostStepArrays = 64;  ///< of one launch: what fits into a kernel's arguments

/// The first `count` arrays of a list.
struct StepList {
  StepArrays arrays[kMostStepArrays];
  int count;
};

/// `factors` are on the device.
void adam_step(const StepList& list, const StepFactors* factors, cudaStream_t stream);

/// What lamb_step() needs beside.
struct LambRoom {
  float* updates;  ///< the values of all arrays, one after the other
  double* sums;    ///< [count, kLambBlocks, 2]
};
inline constexpr int kLambBlocks = 128;  ///< for every array

void lamb_step(const StepList& list, const StepFactors* factors, const LambRoom& room, cudaStream_t stream);

}  // namespace gir::cuda
