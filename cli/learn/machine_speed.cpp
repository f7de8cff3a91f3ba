#include "machine_speed.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <vector>

#include "../bench_support.h"
#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "gir/nn/linear.h"

namespace gir::cli {
namespace {

constexpr int kRounds = 5;
constexpr std::int64_t kStreamValues = std::int64_t{1} << 25;  ///< 128 MiB per array

template <typename Work>
double best_milliseconds(const Work& work) {
  work();  // warm-up
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) times.push_back(milliseconds_of(work));
  return *std::min_element(times.begin(), times.end());
}

double product_speed(std::int64_t rows, std::int64_t width) {
  const at::NoGradGuard no_gradients;
  const at::Tensor x = at::ones({rows, width});
  const at::Tensor w = at::ones({width, width});
  const auto flops = 2.0 * static_cast<double>(rows) * static_cast<double>(width) * static_cast<double>(width);
  return flops / best_milliseconds([&] { static_cast<void>(linear(x, w, {})); });
}

double stream_speed() {
  Array<float> a(kStreamValues), b(kStreamValues), c(kStreamValues);
  const auto fill = [](Array<float>& array, float value) {
    parallel_for(kStreamValues, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
      std::fill(array.data() + begin, array.data() + end, value);
    });
  };
  fill(a, 1);
  fill(b, 2);
  fill(c, 0);
  const double time = best_milliseconds([&] {
    parallel_for(kStreamValues, 1 << 18, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) c[i] = a[i] + 0.5f * b[i];
    });
  });
  return 3.0 * sizeof(float) * static_cast<double>(kStreamValues) / time;
}

}  // namespace

MachineSpeed measure_machine(std::int64_t rows, std::int64_t width) {
  return {.flops_per_ms = product_speed(rows, width), .bytes_per_ms = stream_speed()};
}

}  // namespace gir::cli
