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
  kUniform,     ///< torch's default for nn::Linear: weights and biases uniform over ±1/sqrt(inputs)
  kXavier,      ///< weights uniform over ±sqrt(6 / (inputs + outputs)), biases 0
  kXavierRelu,  ///< Xavier with the ReLU gain sqrt(2)
};

template <>
struct EnumNames<Initial> {
  static constexpr std::string_view kKind = "weight initialisation";
  static constexpr auto kAll = enum_names<Initial>(
      {{Initial::kUniform, "uniform"}, {Initial::kXavier, "xavier"}, {Initial::kXavierRelu, "xavier-relu"}});
};

/// The tensors of a model by name, in the order of their creation. Layers hold handles to the same memory. Initial
/// values depend on the seed and the name only, so that a tensor is initialised identically in every model that
/// contains it.
class GIR_API Parameters {
 public:
  explicit Parameters(std::uint64_t seed, Initial initial = Initial::kUniform) : seed_(seed), initial_(initial) {}

  /// float [rows, columns]: the weight of a linear map with `inputs` inputs (fan-in). 0 stands for `rows`; larger where
  /// several weights together form one map.
  at::Tensor weight(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t inputs = 0);

  /// float [size], initialised for a linear map with `inputs` inputs.
  at::Tensor bias(const std::string& name, std::int64_t size, std::int64_t inputs);

  /// A trained parameter that is initialised to `value`: float [size].
  at::Tensor constant(const std::string& name, std::int64_t size, double value);

  /// Not trained, but saved with the model, such as running statistics: float [size], initialised to `value`.
  at::Tensor buffer(const std::string& name, std::int64_t size, double value);

  /// An integer buffer: int64 [1].
  at::Tensor counter(const std::string& name, std::int64_t value);

  /// Adds the tensors of another model under names that start with `prefix`; memory is shared. With `frozen` all of
  /// them become buffers.
  void adopt(const std::string& prefix, const Parameters& other, bool frozen);

  const std::vector<NamedTensor>& trained() const { return trained_; }
  const std::vector<NamedTensor>& buffers() const { return buffers_; }

  /// Trained tensors, then buffers.
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
