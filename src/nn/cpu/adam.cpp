#include "adam.h"

#include <cmath>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

GIR_VECTORISED void step_values(std::int64_t begin, std::int64_t end, const AdamFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                float* __restrict value) {
  const AdamFactors own = factors;
  for (std::int64_t i = begin; i < end; ++i) {
    const float g = gradient[i] + own.weight_decay * value[i];
    mean[i] = own.mean_decay * mean[i] + (1 - own.mean_decay) * g;
    square[i] = own.square_decay * square[i] + (1 - own.square_decay) * g * g;
    value[i] -= own.step_size * mean[i] / (std::sqrt(square[i]) * own.root_correction + own.epsilon);
  }
}

}  // namespace

void adam_step(std::int64_t size, const AdamFactors& factors, const float* gradient, float* mean, float* square,
               float* value) {
  parallel_for(size, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
    step_values(begin, end, factors, gradient, mean, square, value);
  });
}

}  // namespace gir::cpu
