#pragma once

#include <cuda_runtime_api.h>

#include "epoch_stream.h"

namespace gir::cuda {

/// out = x * scale, or zero where dropped.
void dropout(const float* x, std::int64_t size, const EpochDropout& dropout, float* out, cudaStream_t stream);

/// out = max(x, 0) * scale, or zero where dropped.
template <typename Real>
void relu_dropout(const Real* x, std::int64_t size, const EpochDropout& dropout, Real* out, cudaStream_t stream);

/// d_x = d_out * scale where out > 0, else zero.
template <typename Real>
void relu_dropout_back(const Real* out, const Real* d_out, std::int64_t size, double scale, Real* d_x,
                       cudaStream_t stream);

}  // namespace gir::cuda
