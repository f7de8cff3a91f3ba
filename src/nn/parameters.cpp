#include "gir/nn/parameters.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <cmath>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"

namespace gir {

at::Tensor Parameters::uniform(const std::string& name, std::vector<std::int64_t> shape, double bound) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  // One stream per name: the values do not depend on which other tensors the model has.
  const RandomStream stream(seed_, "init/" + name);
  auto* values = tensor.data_ptr<float>();
  parallel_for(tensor.numel(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      values[i] = static_cast<float>((2 * stream.uniform(static_cast<std::uint64_t>(i)) - 1) * bound);
    }
  });
  tensor.requires_grad_();
  trained_.push_back({name, tensor});
  return tensor;
}

at::Tensor Parameters::weight(const std::string& name, std::int64_t rows, std::int64_t columns, std::int64_t inputs) {
  const auto all_inputs = static_cast<double>(inputs > 0 ? inputs : rows);
  if (initial_ == Initial::kUniform) return uniform(name, {rows, columns}, 1 / std::sqrt(all_inputs));
  const double gain =
      initial_ == Initial::kXavierRelu ? 2 : 1;  // gain of the variance: ReLU sets half of the values to zero
  return uniform(name, {rows, columns}, std::sqrt(6 * gain / (all_inputs + static_cast<double>(columns))));
}

at::Tensor Parameters::bias(const std::string& name, std::int64_t size, std::int64_t inputs) {
  return uniform(name, {size}, initial_ == Initial::kUniform ? 1 / std::sqrt(static_cast<double>(inputs)) : 0);
}

at::Tensor Parameters::constant(const std::string& name, std::int64_t size, double value) {
  const at::Tensor tensor = at::full({size}, value, at::kFloat).requires_grad_();
  trained_.push_back({name, tensor});
  return tensor;
}

at::Tensor Parameters::buffer(const std::string& name, std::int64_t size, double value) {
  buffers_.push_back({name, at::full({size}, value, at::kFloat)});
  return buffers_.back().tensor;
}

at::Tensor Parameters::counter(const std::string& name, std::int64_t value) {
  buffers_.push_back({name, at::full({1}, value, at::kLong)});
  return buffers_.back().tensor;
}

void Parameters::adopt(const std::string& prefix, const Parameters& other, bool frozen) {
  std::vector<NamedTensor>& target = frozen ? buffers_ : trained_;
  for (const NamedTensor& each : other.trained()) target.push_back({prefix + each.name, each.tensor});
  for (const NamedTensor& each : other.buffers()) buffers_.push_back({prefix + each.name, each.tensor});
}

std::vector<NamedTensor> Parameters::all() const {
  std::vector<NamedTensor> tensors = trained_;
  tensors.insert(tensors.end(), buffers_.begin(), buffers_.end());
  return tensors;
}

std::int64_t Parameters::num_values() const {
  std::int64_t count = 0;
  for (const NamedTensor& each : trained_) count += each.tensor.numel();
  return count;
}

}  // namespace gir
