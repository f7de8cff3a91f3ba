#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gir {

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// The tensors of a model by name, in the order in which they were made. Layers keep handles to the same memory.
/// Initial values depend on the seed and the name alone, so that a tensor begins the same in every model that has it.
class Parameters {
 public:
  explicit Parameters(std::uint64_t seed) : seed_(seed) {}

  /// float [rows, columns], uniform over ±1/sqrt(inputs): torch's default for a linear map with so many inputs, which
  /// are the rows unless the map is cut into several weights.
  at::Tensor weight(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t inputs = 0);

  /// float [size], uniform over ±1/sqrt(inputs).
  at::Tensor bias(const std::string& name, std::int64_t size, std::int64_t inputs);

  /// float [size], all `value`.
  at::Tensor constant(const std::string& name, std::int64_t size, double value);

  /// Not trained, but part of the model: float [size], all `value`.
  at::Tensor buffer(const std::string& name, std::int64_t size, double value);

  /// A whole number that belongs to the model: int64 [1].
  at::Tensor counter(const std::string& name, std::int64_t value);

  const std::vector<NamedTensor>& trained() const { return trained_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }

  /// Both, the trained ones first.
  std::vector<NamedTensor> all() const;

  /// Number of trained values.
  std::int64_t num_values() const;

 private:
  at::Tensor uniform(const std::string& name, std::vector<std::int64_t> shape, double bound);

  std::uint64_t seed_;
  std::vector<NamedTensor> trained_;
  std::vector<NamedTensor> buffers_;
};

}  // namespace gir
