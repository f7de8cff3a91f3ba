#include "gir/nn/device.h"

#include <ATen/core/Tensor.h>

#include <charconv>
#include <optional>
#include <utility>

#include "backend.h"
#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

/// The N of "cuda:N", 0 for "cuda"; nothing for other names.
std::optional<int> cuda_index(std::string_view name) {
  if (name == "cuda") return 0;
  if (!name.starts_with("cuda:")) return std::nullopt;
  const std::string_view digits = name.substr(std::string_view("cuda:").size());
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || index < 0) return std::nullopt;
  return index;
}

}  // namespace

std::vector<DeviceDescription> list_devices(std::string* problem) {
  std::string reason;
  std::vector<DeviceDescription> all = backend_of({}).devices(reason);
  if (!has_backend(Device::Kind::kCuda)) {
    reason = "this build supports the CPU only [build with GIR_CUDA=ON for NVIDIA GPUs]";
  } else {
    const Device gpu{.kind = Device::Kind::kCuda};
    for (DeviceDescription& each : backend_of(gpu).devices(reason)) all.push_back(std::move(each));
  }
  if (problem != nullptr) *problem = reason;
  return all;
}

Context make_context(std::string_view device, std::string_view precision) {
  const std::string wanted = canonical_name(device);
  Context context{.precision = parse_name<Precision>(precision)};
  if (wanted == "cpu") {
    if (context.precision != Precision::kFp32) {
      throw UserError("`precision`: the CPU computes in fp32 [omit `precision`, or set `device` cuda]");
    }
    return context;
  }
  const std::optional<int> index = cuda_index(wanted);
  if (!index) throw UserError("`device`: unknown device {} [cpu, cuda or cuda:N]", quoted(device));
  std::string problem;
  const auto found = static_cast<int>(list_devices(&problem).size()) - 1;  // the first one is the CPU
  if (found == 0) throw UserError("`device`: {}: {}", device, problem);
  if (*index >= found) {
    throw UserError("`device`: {}: there {} [cuda:0{}]", device,
                    found == 1 ? "is one GPU" : fmt::format("are {} GPUs", found),
                    found == 1 ? "" : fmt::format(" to cuda:{}", found - 1));
  }
  context.device = {.kind = Device::Kind::kCuda, .index = *index};
  backend_of(context.device).prepare(context.device);
  return context;
}

at::Device torch_device(const Device& device) {
  return device.is_cpu() ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<at::DeviceIndex>(device.index));
}

ContextScope::ContextScope(const Context& context)
    : threads_(context.threads), device_(backend_of(context.device).enter(context)) {}
ContextScope::~ContextScope() = default;

DistanceSearch distance_search(const Context& context) { return backend_of(context.device).distance_search(context); }

void move_to_device(std::span<const NamedTensor> tensors, const Device& device) {
  const at::Device target = torch_device(device);
  for (const NamedTensor& each : tensors) {
    at::Tensor tensor = each.tensor;
    if (tensor.device() != target && tensor.is_floating_point()) tensor.set_data(tensor.detach().to(target));
  }
}

PendingNumber::PendingNumber(const at::Tensor& number) : state_(backend_of(device_of(number)).read_soon(number)) {}
PendingNumber::~PendingNumber() = default;

float PendingNumber::wait() const { return state_->wait(); }

bool Recording::is_possible(const Device& device) { return backend_of(device).records(); }

std::unique_ptr<Recording> Recording::of(const Device& device, std::uint64_t epoch, const StepNumbers& numbers,
                                         const std::function<void(const at::Tensor& numbers)>& work) {
  ensure(is_possible(device), "a device that supports graph capture");
  return backend_of(device).record(epoch, numbers, work);
}

std::unique_ptr<PairSampler> make_pair_sampler(const Device& device, const PairSource& source) {
  return backend_of(device).pair_sampler(source);
}

DeviceMemory device_memory(const Device& device) { return backend_of(device).memory(device); }

void reset_peak_memory(const Device& device) { backend_of(device).reset_peak_memory(device); }

}  // namespace gir
