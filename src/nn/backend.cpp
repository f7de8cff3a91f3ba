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

/// What the processor asked for is there.
struct ReadyNumber final : PendingNumber::State {
  explicit ReadyNumber(float number) : value(number) {}
  float wait() override { return value; }

  float value;
};

class Processor final : public Backend {
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

const Backend* find_backend(at::DeviceType type) {
  static const Processor processor;
  if (type == at::kCPU) return &processor;
#ifdef GIR_CUDA
  if (type == at::kCUDA) return &cuda::backend();
#endif
  return nullptr;
}

}  // namespace

bool has_backend(at::DeviceType type) { return find_backend(type) != nullptr; }

const Backend& backend_of(const at::Device& device) {
  const Backend* backend = find_backend(device.type());
  ensure(backend != nullptr, "a tensor on a device of this build");
  return *backend;
}

void adam_step(std::span<const StepTensors> tensors, const StepFactors& factors) {
  if (!tensors.empty())
    on_device_of(tensors.front().parameter, [&](auto kernels) { kernels.adam_step(tensors, factors); });
}

void lamb_step(std::span<const StepTensors> tensors, const StepFactors& factors) {
  if (!tensors.empty())
    on_device_of(tensors.front().parameter, [&](auto kernels) { kernels.lamb_step(tensors, factors); });
}

}  // namespace gir
