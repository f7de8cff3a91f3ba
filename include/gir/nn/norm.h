#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "gir/core/export.h"
#include "gir/nn/activation.h"

namespace gir {

// For all of these x is [rows, width], float or double and contiguous, gamma and beta are [width] of x's type, and the
// result has x's shape and is differentiable in x, gamma and beta. Bit-identical on any number of threads.

struct GIR_API BatchNormOptions {
  bool training = true;   ///< use batch statistics and update the running ones; else use the running ones
  double momentum = 0.1;  ///< weight of the batch statistics in the new running statistics
  double epsilon = 1e-5;  ///< added to variances
  std::optional<ReluDropout> activation = {};  ///< fused ReLU and dropout of the result
};

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with the mean and variance of every column, summed in double.
/// In training x must have at least one row; it is normalised by the biased variance, and `running_mean` and
/// `running_variance` ([width], of x's type) are updated in place, the latter with the unbiased variance (0 for a
/// single row), as torch::batch_norm does. Saves x for the backward pass, and with an activation also its result or a
/// mask.
GIR_API at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                              const at::Tensor& running_mean, const at::Tensor& running_variance,
                              const BatchNormOptions& options = {});

/// Sets the running statistics to the batch statistics of x (momentum 1), without normalising anything.
GIR_API void recalibrate_batch_norm(const at::Tensor& x, const at::Tensor& running_mean,
                                    const at::Tensor& running_variance);

/// Layer norm: as above, but with the mean and biased variance of every row.
GIR_API at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                              double epsilon = 1e-5);

/// Every row divided by max(its L2 norm, epsilon). Rows of zeros stay zero and have a zero gradient. Saves the result
/// and the norms for the backward pass.
GIR_API at::Tensor l2_normalise(const at::Tensor& x, double epsilon = 1e-12);

}  // namespace gir
