#pragma once

#include <cstdint>

#include "../dropout.h"

namespace gir::cpu {

/// out = x * scale, or zero where dropped.
void dropout(const float* x, std::int64_t size, const Dropout& dropout, float* out);

/// out = max(x, 0) * scale, or zero where dropped.
template <typename Real>
void relu_dropout_forward(const Real* x, std::int64_t size, const Dropout& dropout, Real* out);

/// d_x = d_out * scale where out > 0, else zero.
template <typename Real>
void relu_dropout_backward(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x);

// The same for elements [begin, end) on the calling thread; `begin` is a multiple of 64. Input and output may alias.

void relu_dropout_range(const float* x, std::int64_t begin, std::int64_t end, const Dropout& dropout, float* out);
void relu_dropout_range(const double* x, std::int64_t begin, std::int64_t end, const Dropout& dropout, double* out);
void pass_back_range(const float* out, const float* d_out, std::int64_t size, float scale, float* d_x);
void pass_back_range(const double* out, const double* d_out, std::int64_t size, double scale, double* d_x);

}  // namespace gir::cpu
