#include <cmath>
#include <vector>

#include "gir/core/parallel.h"
#include "gir/core/vectorise.h"
#include "optimizer_step.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kGrain = 1 << 15;

/// Adam's update with decoupled weight decay, before the trust ratio.
GIR_VECTORISED void find_update(std::int64_t begin, std::int64_t end, const StepFactors& factors,
                                const float* __restrict gradient, float* __restrict mean, float* __restrict square,
                                const float* __restrict value, float* __restrict update) {
  const auto mean_correction = static_cast<float>(factors.mean_correction);
  const auto root_correction = static_cast<float>(factors.root_correction);
  const auto mean_decay = static_cast<float>(factors.mean_decay);
  const auto square_decay = static_cast<float>(factors.square_decay);
  const auto weight_decay = static_cast<float>(factors.weight_decay);
  const auto epsilon = static_cast<float>(factors.epsilon);
  for (std::int64_t i = begin; i < end; ++i) {
    mean[i] = mean_decay * mean[i] + (1 - mean_decay) * gradient[i];
    square[i] = square_decay * square[i] + (1 - square_decay) * gradient[i] * gradient[i];
    update[i] =
        mean[i] * mean_correction / (std::sqrt(square[i]) * root_correction + epsilon) + weight_decay * value[i];
  }
}

GIR_VECTORISED void apply_update(std::int64_t begin, std::int64_t end, float size, const float* __restrict update,
                                 float* __restrict value) {
  for (std::int64_t i = begin; i < end; ++i) value[i] -= size * update[i];
}

double sum_of_squares(std::int64_t begin, std::int64_t end, const float* values) {
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) sum += static_cast<double>(values[i]) * values[i];
  return sum;
}

}  // namespace

void lamb_step(std::int64_t size, const StepFactors& factors, const StepArrays& arrays, float* update) {
  const auto blocks = static_cast<std::size_t>(num_blocks(size, kGrain));
  std::vector<double> value_squares(blocks);
  std::vector<double> update_squares(blocks);
  parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    const auto block = static_cast<std::size_t>(begin / kGrain);
    find_update(begin, end, factors, arrays.gradient, arrays.mean, arrays.square, arrays.value, update);
    value_squares[block] = sum_of_squares(begin, end, arrays.value);
    update_squares[block] = sum_of_squares(begin, end, update);
  });
  double value_norm = 0;
  double update_norm = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    value_norm += value_squares[block];
    update_norm += update_squares[block];
  }
  // The trust ratio; 1 where it is undefined, as for a bias that is still zero.
  const double ratio = value_norm > 0 && update_norm > 0 ? std::sqrt(value_norm / update_norm) : 1;
  parallel_for(size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    apply_update(begin, end, static_cast<float>(factors.learning_rate * ratio), update, arrays.value);
  });
}

}  // namespace gir::cpu
