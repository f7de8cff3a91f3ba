#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "gir/core/export.h"
#include "gir/nn/activation.h"

namespace gir {

// For all of these x is [rows, width], float or double and contiguous, gamma and beta are [width] of x's type, and the
// result has x's shape with gradients for x, gamma and beta. The same bits on any number of threads.

struct GIR_API BatchNormOptions {
  bool training = true;   ///< normalise by the rows at hand and move the running figures; else by the running ones
  double momentum = 0.1;  ///< the share of the rows at hand in the new running figures
  double epsilon = 1e-5;  ///< added to variances
  std::optional<ReluDropout> activation = {};  ///< what follows, done in the same passes
};

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with the mean and variance of every column, summed in double.
/// In training needs a row, normalises by the biased variance, and updates `running_mean` and `running_variance`
/// ([width], of x's type) in place, the latter by the unbiased one (of a single row: 0). Keeps x for the backward pass,
/// and with an activation the result.
GIR_API at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                              const at::Tensor& running_mean, const at::Tensor& running_variance,
                              const BatchNormOptions& options = {});

/// Makes the running figures those of the rows at hand: a training pass that knows nothing else, and normalises
/// nothing.
GIR_API void settle_batch_norm(const at::Tensor& x, const at::Tensor& running_mean, const at::Tensor& running_variance);

/// The same with the mean and biased variance of every row.
GIR_API at::Tensor layer_norm(const at::Tensor& x, const at::Tensor& gamma, const at::Tensor& beta,
                              double epsilon = 1e-5);

/// Every row divided by its Euclidean length, or by epsilon where that is longer. Rows of zeros stay and pass no
/// gradient back. Keeps the result for the backward pass.
GIR_API at::Tensor l2_normalise(const at::Tensor& x, double epsilon = 1e-12);

}  // namespace gir
