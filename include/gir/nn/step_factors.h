#pragma once

namespace gir {

/// What is the same for all values of a step of Adam or one of its relatives.
struct StepFactors {
  float mean_decay;    ///< beta1
  float square_decay;  ///< beta2
  float weight_decay;
  float epsilon;
  double learning_rate;
  double mean_correction;  ///< 1 / (1 - beta1^t)
  double root_correction;  ///< 1 / sqrt(1 - beta2^t)
};

}  // namespace gir
