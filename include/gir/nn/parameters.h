#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/enum_names.h"
#include "gir/core/export.h"

namespace gir {

struct GIR_API NamedTensor {
  std::string name;
  at::Tensor tensor;
};

/// Weight initialisation.
enum class Initial {
  kUniform,     ///< torch's default for a linear map: weights and biases uniform over ±1/sqrt(inputs)
  kXavier,      ///< weights uniform over ±sqrt(6 / (inputs + outputs)), biases 0
  kXavierRelu,  ///< the same, wider by sqrt(2) for the half of the values that a ReLU takes away
};

template <>
struct EnumNames<Initial> {
  static constexpr std::string_view kKind = "weight initialisation";
  static constexpr auto kAll = enum_names<Initial>(
      {{Initial::kUniform, "uniform"}, {Initial::kXavier, "xavier"}, {Initial::kXavierRelu, "xavier-relu"}});
};

/// The tensors of a model by name, in the order in which they were made. Layers keep handles to the same memory.
/// Initial values depend on the seed and the name alone, so that a tensor begins the same in every model that has it.
class GIR_API Parameters {
 public:
  explicit Parameters(std::uint64_t seed, Initial initial = Initial::kUniform) : seed_(seed), initial_(initial) {}

  /// float [rows, columns] of a linear map with so many inputs, which are the rows unless the map is cut into several
  /// weights.
  at::Tensor weight(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t inputs = 0);

  /// float [size].
  at::Tensor bias(const std::string& name, std::int64_t size, std::int64_t inputs);

  /// float [size], all `value`.
  at::Tensor constant(const std::string& name, std::int64_t size, double value);

  /// Not trained, but part of the model: float [size], all `value`.
  at::Tensor buffer(const std::string& name, std::int64_t size, double value);

  /// A whole number that belongs to the model: int64 [1].
  at::Tensor counter(const std::string& name, std::int64_t value);

  /// Takes in the tensors of another model under names that begin with `prefix`: the same memory. With `frozen` none of
  /// them is trained here.
  void adopt(const std::string& prefix, const Parameters& other, bool frozen);

  const std::vector<NamedTensor>& trained() const { return trained_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }

  /// Both, the trained ones first.
  std::vector<NamedTensor> all() const;

  /// Number of trained values.
  std::int64_t num_values() const;

 private:
  at::Tensor uniform(const std::string& name, std::vector<std::int64_t> shape, double bound);

  std::uint64_t seed_;
  Initial initial_;
  std::vector<NamedTensor> trained_;
  std::vector<NamedTensor> buffers_;
};

}  // namespace gir
