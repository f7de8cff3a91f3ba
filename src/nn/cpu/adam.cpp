#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "optimizer_step.h"

namespace gir::cpu {
namespace {

GIR_VECTORISED void step_values(std::int64_t begin, std::int64_t end, const StepFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                float* __restrict value) {
  const StepFactors own = factors;
  const auto step_size = static_cast<float>(own.learning_rate * own.mean_correction);
  const auto root_correction = static_cast<float>(own.root_correction);
  for (std::int64_t i = begin; i < end; ++i) {
    const float g = gradient[i] + own.weight_decay * value[i];
    mean[i] = own.mean_decay * mean[i] + (1 - own.mean_decay) * g;
    square[i] = own.square_decay * square[i] + (1 - own.square_decay) * g * g;
    value[i] -= step_size * mean[i] / (std::sqrt(square[i]) * root_correction + own.epsilon);
  }
}

}  // namespace

void adam_step(std::int64_t size, const StepFactors& factors, const StepArrays& arrays) {
  parallel_for(size, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    step_values(begin, end, factors, arrays.gradient, arrays.mean, arrays.square, arrays.value);
  });
}

}  // namespace gir::cpu
