#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir::cpu {

/// out = max(x, 0)
template <typename Real>
void relu_forward(const Real* x, std::int64_t size, Real* out);

/// What is dropped becomes zero, the rest grows.
struct Dropout {
  std::uint32_t threshold;  ///< words below it drop
  double scale;             ///< of what is kept
  RandomStream stream;
};

/// out = max(x, 0) * scale, or zero where dropped.
template <typename Real>
void relu_dropout_forward(const Real* x, std::int64_t size, const Dropout& dropout, Real* out);

/// d_x = d_out * scale where out > 0, else zero.
template <typename Real>
void relu_dropout_backward(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x);

}  // namespace gir::cpu
