#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gir {

// Buffers of a model that keep arrays, such as those of trees, as real numbers: they are saved and loaded like weights.

/// Writes the values to the beginning of a float buffer of any device.
template <typename T>
void write_values(at::Tensor& buffer, const std::vector<T>& values) {
  std::vector<float> real(values.begin(), values.end());
  buffer.narrow(0, 0, std::ssize(real)).copy_(at::from_blob(real.data(), {std::ssize(real)}));
}

inline std::vector<float> read_values(const at::Tensor& buffer) {
  const at::Tensor here = buffer.cpu();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

/// Numbers of nodes or features, -1 for none. A damaged file may have anything: what is no such number becomes -2,
/// which whoever interprets them refuses.
inline std::vector<std::int32_t> read_numbers(const at::Tensor& buffer) {
  std::vector<std::int32_t> numbers;
  for (const float real : read_values(buffer)) {
    numbers.push_back(real >= -1 && real < 0x1p31F ? static_cast<std::int32_t>(real) : -2);
  }
  return numbers;
}

}  // namespace gir
