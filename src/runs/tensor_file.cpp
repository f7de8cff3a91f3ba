#include "gir/runs/tensor_file.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstring>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/safetensors.h"

namespace gir {
namespace {

SafetensorsType file_type(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kFloat) return SafetensorsType::kF32;
  if (tensor.scalar_type() == at::kDouble) return SafetensorsType::kF64;
  ensure(tensor.scalar_type() == at::kLong, "a tensor of float, double or int64");
  return SafetensorsType::kI64;
}

std::size_t num_bytes(const at::Tensor& tensor) {
  return static_cast<std::size_t>(tensor.numel()) * static_cast<std::size_t>(tensor.element_size());
}

/// "[3, 2]"
std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes, ", ") + "]";
}

}  // namespace

void save_tensors(const std::filesystem::path& path, const std::vector<NamedTensor>& tensors,
                  const std::map<std::string, std::string>& metadata) {
  std::vector<at::Tensor> alive;
  std::vector<SafetensorsMember> members;
  // Tensors with 8-byte elements first, so that all are aligned.
  for (const std::int64_t width : {8, 4}) {
    for (const NamedTensor& each : tensors) {
      if (static_cast<std::int64_t>(each.tensor.element_size()) != width) continue;
      alive.push_back(each.tensor.detach().cpu().contiguous());
      members.push_back(
          {.name = each.name,
           .tensor = {.type = file_type(alive.back()),
                      .shape = alive.back().sizes().vec(),
                      .bytes = {static_cast<const char*>(alive.back().data_ptr()), num_bytes(alive.back())}}});
    }
  }
  write_safetensors(path, members, metadata);
}

std::map<std::string, std::string> load_tensors(const std::filesystem::path& path,
                                                const std::vector<NamedTensor>& tensors,
                                                const std::map<std::string, std::string>& earlier_names) {
  const SafetensorsFile file(path);
  for (const NamedTensor& each : tensors) {
    const SafetensorsView* found = file.find(each.name);
    const auto earlier = earlier_names.find(each.name);
    if (found == nullptr && earlier != earlier_names.end()) found = file.find(earlier->second);
    if (found == nullptr) {
      throw UserError(path, "has no tensor {} [it belongs to another model, graph or version of gir]",
                      quoted(each.name));
    }
    if (found->type != file_type(each.tensor) || found->shape != each.tensor.sizes().vec()) {
      throw UserError(path,
                      "tensor {} has shape {}, expected {} [it belongs to another model, graph or version of gir]",
                      quoted(each.name), shape_text(found->shape), shape_text(each.tensor.sizes().vec()));
    }
    if (found->bytes.empty()) continue;
    // Tensors in the file need not be aligned, so they are copied byte by byte.
    const at::Tensor values = at::empty(each.tensor.sizes(), each.tensor.scalar_type());
    std::memcpy(values.data_ptr(), found->bytes.data(), found->bytes.size());
    each.tensor.detach().copy_(values);
  }
  return file.metadata();
}

}  // namespace gir
