#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "optimizer_step.h"

namespace gir::cpu {
namespace {

/// As torch::optim::Adam: weight decay is added to the gradient, and epsilon to the corrected root.
GIR_VECTORISED void step_values(std::int64_t begin, std::int64_t end, const StepFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                float* __restrict value) {
  const auto step_size = static_cast<float>(factors.learning_rate * factors.mean_correction);
  const auto root_correction = static_cast<float>(factors.root_correction);
  const auto mean_decay = static_cast<float>(factors.mean_decay);
  const auto square_decay = static_cast<float>(factors.square_decay);
  const auto weight_decay = static_cast<float>(factors.weight_decay);
  const auto epsilon = static_cast<float>(factors.epsilon);
  for (std::int64_t i = begin; i < end; ++i) {
    const float g = gradient[i] + weight_decay * value[i];
    mean[i] = mean_decay * mean[i] + (1 - mean_decay) * g;
    square[i] = square_decay * square[i] + (1 - square_decay) * g * g;
    value[i] -= step_size * mean[i] / (std::sqrt(square[i]) * root_correction + epsilon);
  }
}

}  // namespace

void adam_step(std::int64_t size, const StepFactors& factors, const StepArrays& arrays) {
  parallel_for(size, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    step_values(begin, end, factors, arrays.gradient, arrays.mean, arrays.square, arrays.value);
  });
}

}  // namespace gir::cpu
