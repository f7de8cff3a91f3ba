#pragma once

#include <cstdint>

#include "gir/nn/adam.h"

namespace gir::cpu {

/// One step for `size` values.
void adam_step(std::int64_t size, const AdamFactors& factors, const float* gradient, float* mean, float* square,
               float* value);

}  // namespace gir::cpu
