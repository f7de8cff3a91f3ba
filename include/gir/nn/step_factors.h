#pragma once

#include <vector>

#include "gir/core/export.h"

namespace gir {

/// The numbers that one step of an optimiser depends on beside tensors: the learning rate, bias corrections and the
/// like. Kernels get them as a tensor on the parameters' device, double [count], so that a recorded step can be
/// repeated with others.
using StepNumbers = std::vector<double>;

/// The numbers of a step of Adam or one of its relatives, in the order in which StepNumbers holds them.
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
