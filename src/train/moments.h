#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <vector>

#include "gir/nn/parameters.h"

namespace gir {

/// Running means of gradients and of their squares, as Adam and its relatives keep them.
class Moments {
 public:
  static constexpr float kBeta1 = 0.9f;
  static constexpr float kBeta2 = 0.999f;

  explicit Moments(const std::vector<NamedTensor>& parameters) : steps_(at::zeros({1}, at::kLong)) {
    for (const NamedTensor& each : parameters) {
      means_.push_back(
          {"mean/" + each.name, at::zeros(each.tensor.sizes(), each.tensor.options().requires_grad(false))});
      squares_.push_back(
          {"square/" + each.name, at::zeros(each.tensor.sizes(), each.tensor.options().requires_grad(false))});
    }
  }

  /// What takes away that they began as zeros.
  struct Corrections {
    double mean;         ///< 1 / (1 - beta1^t)
    double root_square;  ///< 1 / sqrt(1 - beta2^t)
  };

  /// Counts a step.
  Corrections next_step() {
    const auto t = static_cast<double>(++*steps_.data_ptr<std::int64_t>());
    return {.mean = 1 / (1 - std::pow(static_cast<double>(kBeta1), t)),
            .root_square = 1 / std::sqrt(1 - std::pow(static_cast<double>(kBeta2), t))};
  }

  const at::Tensor& mean(std::size_t parameter) const { return means_[parameter].tensor; }
  const at::Tensor& square(std::size_t parameter) const { return squares_[parameter].tensor; }

  /// Optimizer::state().
  std::vector<NamedTensor> state() const {
    std::vector<NamedTensor> tensors = {{"steps", steps_}};
    for (std::size_t k = 0; k < means_.size(); ++k) {
      tensors.push_back(means_[k]);
      tensors.push_back(squares_[k]);
    }
    return tensors;
  }

 private:
  at::Tensor steps_;
  std::vector<NamedTensor> means_;
  std::vector<NamedTensor> squares_;
};

}  // namespace gir
