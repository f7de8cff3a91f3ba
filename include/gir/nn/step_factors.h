#pragma once

#include <vector>

#include "gir/core/export.h"

namespace gir {

/// The scalars of one optimiser step: the learning rate, bias corrections and so on. Kernels read them from a tensor on
/// the parameters' device, double [count], so that a captured CUDA graph can be replayed with other values.
using StepNumbers = std::vector<double>;

/// The scalars of a step of Adam or LAMB, in their order in StepNumbers.
struct GIR_API StepFactors {
  double mean_decay;    ///< beta1
  double square_decay;  ///< beta2
  double weight_decay;
  double epsilon;
  double learning_rate;
  double mean_correction;  ///< 1 / (1 - beta1^t)
  double root_correction;  ///< 1 / sqrt(1 - beta2^t)
};

inline constexpr int kNumStepFactors = sizeof(StepFactors) / sizeof(double);

}  // namespace gir
