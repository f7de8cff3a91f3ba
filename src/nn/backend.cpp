#include "backend.h"

#include <ATen/core/Tensor.h>
#include <unistd.h>

#include <thread>

#include "gir/core/error.h"
#include "kernels.h"
#ifdef GIR_CUDA
#include "cuda/backend.h"
#endif

namespace gir {
namespace {

/// On the CPU the value is available immediately.
struct ReadyNumber final : PendingNumber::State {
  explicit ReadyNumber(float number) : value(number) {}
  float wait() override { return value; }

  float value;
};

class CpuBackend final : public Backend {
 public:
  std::vector<DeviceDescription> devices(std::string&) const override {
    return {{.name = "cpu",
             .what = fmt::format("{} hardware threads", std::thread::hardware_concurrency()),
             .memory = ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGESIZE)}};
  }

  std::unique_ptr<PendingNumber::State> read_soon(const at::Tensor& number) const override {
    return std::make_unique<ReadyNumber>(number.item<float>());
  }
};

const Backend* find_backend(Device::Kind kind) {
  static const CpuBackend cpu;
  if (kind == Device::Kind::kCpu) return &cpu;
#ifdef GIR_CUDA
  if (kind == Device::Kind::kCuda) return &cuda::backend();
#endif
  return nullptr;
}

}  // namespace

bool has_backend(Device::Kind kind) { return find_backend(kind) != nullptr; }

const Backend& backend_of(const Device& device) {
  const Backend* backend = find_backend(device.kind);
  ensure(backend != nullptr, "a device that this build supports");
  return *backend;
}

Device device_of(const at::Tensor& tensor) {
  if (tensor.is_cpu()) return {};
  ensure(tensor.is_cuda(), "a tensor on the CPU or a GPU");
  return {.kind = Device::Kind::kCuda, .index = static_cast<int>(tensor.get_device())};
}

namespace {

void check_factors(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  ensure(factors.scalar_type() == at::kDouble && factors.numel() == kNumStepFactors && factors.is_contiguous() &&
             factors.device() == tensors.front().parameter.device(),
         "step factors on the parameters' device");
}

}  // namespace

void adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  if (tensors.empty()) return;
  check_factors(tensors, factors);
  on_device_of(tensors.front().parameter, [&](auto kernels) { kernels.adam_step(tensors, factors); });
}

void lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  if (tensors.empty()) return;
  check_factors(tensors, factors);
  on_device_of(tensors.front().parameter, [&](auto kernels) { kernels.lamb_step(tensors, factors); });
}

}  // namespace gir
