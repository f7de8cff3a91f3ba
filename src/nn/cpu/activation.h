#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir::cpu {

/// What is dropped becomes zero, the rest grows.
struct Dropout {
  std::uint32_t threshold;  ///< words below it drop; 0: nothing is drawn
  double scale;             ///< of what is kept
  RandomStream stream;
};

/// Drops a share `rate` of the values, from 0 to below 1.
Dropout dropout_at(double rate, const RandomStream& stream);

/// out = x * scale, or zero where dropped.
void dropout(const float* x, std::int64_t size, const Dropout& dropout, float* out);

/// out = max(x, 0) * scale, or zero where dropped.
template <typename Real>
void relu_dropout_forward(const Real* x, std::int64_t size, const Dropout& dropout, Real* out);

/// d_x = d_out * scale where out > 0, else zero.
template <typename Real>
void relu_dropout_backward(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x);

// The same for elements [begin, end) by the calling thread; `begin` is a multiple of 64. Arrays may be the same.

void relu_dropout_range(const float* x, std::int64_t begin, std::int64_t end, const Dropout& dropout, float* out);
void relu_dropout_range(const double* x, std::int64_t begin, std::int64_t end, const Dropout& dropout, double* out);
void pass_back_range(const float* out, const float* d_out, std::int64_t size, float scale, float* d_x);
void pass_back_range(const double* out, const double* d_out, std::int64_t size, double scale, double* d_x);

}  // namespace gir::cpu
