#pragma once

namespace gir {

/// What is the same for all values of a step.
struct AdamFactors {
  float mean_decay;       ///< beta1
  float square_decay;     ///< beta2
  float weight_decay;     ///< L2: part of the gradient
  float step_size;        ///< learning rate / (1 - beta1^t)
  float root_correction;  ///< 1 / sqrt(1 - beta2^t)
  float epsilon;
};

}  // namespace gir
