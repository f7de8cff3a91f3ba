#include "gir/nn/device.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <utility>

#include "backend.h"
#include "gir/anchors/distances.h"
#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

constexpr std::array<std::pair<Precision, std::string_view>, 3> kPrecisions = {{
    {Precision::kFp32, "fp32"},
    {Precision::kTf32, "tf32"},
    {Precision::kBf16, "bf16"},
}};

/// What use_device() said last.
struct Choice {
  at::Device device = at::kCPU;
  Precision precision = Precision::kFp32;
};

Choice& choice() {
  static Choice made;
  return made;
}

Precision parse_precision(std::string_view name) {
  for (const auto& [value, known] : kPrecisions) {
    if (canonical_name(name) == known) return value;
  }
  throw UserError("--precision: {} [fp32, tf32 or bf16]", quoted(name));
}

/// -1 where `name` is not "cuda" or "cuda:N".
int cuda_index(std::string_view name) {
  constexpr std::string_view kCuda = "cuda";
  if (name == kCuda) return 0;
  if (!name.starts_with("cuda:")) return -1;
  const std::string_view digits = name.substr(kCuda.size() + 1);
  const bool is_number =
      !digits.empty() && digits.size() < 4 && digits.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? std::stoi(std::string(digits)) : -1;
}

}  // namespace

std::string_view precision_name(Precision precision) {
  for (const auto& [value, name] : kPrecisions) {
    if (value == precision) return name;
  }
  throw InternalError("a precision without a name");
}

std::vector<DeviceDescription> list_devices(std::string* problem) {
  std::string reason;
  std::vector<DeviceDescription> all = backend_of(at::kCPU).devices(reason);
  if (!has_backend(at::kCUDA)) {
    reason = "this build computes on the processor alone [cmake --preset cuda builds for NVIDIA GPUs]";
  } else {
    for (DeviceDescription& each : backend_of(at::kCUDA).devices(reason)) all.push_back(std::move(each));
  }
  if (problem != nullptr) *problem = reason;
  return all;
}

void use_device(std::string_view name, std::string_view precision) {
  const std::string wanted = canonical_name(name);
  Choice made{.device = at::kCPU, .precision = parse_precision(precision)};
  if (wanted == "cpu") {
    if (made.precision != Precision::kFp32) {
      throw UserError("--precision: the processor computes in fp32 [leave --precision away, or --device cuda]");
    }
    choice() = made;
    search_distances_by(nullptr);
    return;
  }
  const int index = cuda_index(wanted);
  if (index < 0) throw UserError("--device: {} [cpu, cuda or cuda:N]", quoted(name));
  std::string problem;
  const auto found = static_cast<int>(list_devices(&problem).size()) - 1;  // the first one is the processor
  if (found == 0) throw UserError("--device: {}: {}", name, problem);
  if (index >= found) {
    throw UserError("--device: {}: there {} [cuda:0{}]", name,
                    found == 1 ? "is one GPU" : fmt::format("are {} GPUs", found),
                    found == 1 ? "" : fmt::format(" to cuda:{}", found - 1));
  }
  made.device = at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
  const Backend& backend = backend_of(made.device);
  backend.use(made.device, made.precision);
  choice() = made;
  search_distances_by(backend.distance_search());
}

at::Device compute_device() { return choice().device; }

Precision compute_precision() { return choice().precision; }

std::string compute_mark() {
  if (compute_device().is_cpu()) return "";
  return fmt::format("cuda --precision {}", precision_name(compute_precision()));
}

void move_to_device(std::span<const NamedTensor> tensors) {
  const at::Device device = compute_device();
  for (const NamedTensor& each : tensors) {
    at::Tensor tensor = each.tensor;
    if (tensor.device() != device && tensor.is_floating_point()) tensor.set_data(tensor.detach().to(device));
  }
}

DeviceQueue::DeviceQueue() : state_(backend_of(compute_device()).queue()) {}
DeviceQueue::~DeviceQueue() = default;

PendingNumber::PendingNumber(const at::Tensor& number) : state_(backend_of(number.device()).read_soon(number)) {}
PendingNumber::~PendingNumber() = default;

float PendingNumber::wait() const { return state_->wait(); }

bool Recording::is_possible() { return backend_of(compute_device()).records(); }

std::unique_ptr<Recording> Recording::of(std::uint64_t epoch, const std::function<void()>& work) {
  ensure(is_possible(), "a device that can record");
  return backend_of(compute_device()).record(epoch, work);
}

std::unique_ptr<PairSampler> make_pair_sampler(const PairSource& source) {
  return backend_of(compute_device()).pair_sampler(source);
}

void forget_most_memory() { backend_of(compute_device()).forget_most_memory(); }

DeviceMemory device_memory() { return backend_of(compute_device()).memory(); }

}  // namespace gir
