#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gir/nn/device.h"
#include "gir/nn/pair_sampler.h"
#include "gir/nn/recording.h"

namespace gir {

/// Device state of a thread inside a ContextScope; the destructor restores the previous state.
struct ContextScope::DeviceState {
  virtual ~DeviceState() = default;
};

/// A pending copy of a scalar to the CPU.
struct PendingNumber::State {
  virtual ~State() = default;
  virtual float wait() = 0;
};

/// Everything that a device type provides besides kernels. The defaults are those of a device without the feature.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Sets `problem` to one line if there are none.
  virtual std::vector<DeviceDescription> devices(std::string& problem) const = 0;

  /// Checks that this build supports the device, and initialises it.
  virtual void prepare(const Device& /*device*/) const {}

  virtual std::unique_ptr<ContextScope::DeviceState> enter(const Context& /*context*/) const { return nullptr; }

  /// Empty if the CPU does the search.
  virtual DistanceSearch distance_search(const Context& /*context*/) const { return {}; }

  /// CUDA graph capture: see Recording.
  virtual bool records() const { return false; }
  virtual std::unique_ptr<Recording> record(std::uint64_t /*epoch*/, const StepNumbers& /*numbers*/,
                                            const std::function<void(const at::Tensor&)>& /*work*/) const {
    return nullptr;
  }

  virtual std::unique_ptr<PairSampler> pair_sampler(const PairSource& /*source*/) const { return nullptr; }

  virtual std::unique_ptr<PendingNumber::State> read_soon(const at::Tensor& number) const = 0;
  virtual DeviceMemory memory(const Device& /*device*/) const { return {}; }
  virtual void reset_peak_memory(const Device& /*device*/) const {}
};

/// The backend of a device type; the only place that depends on what this build includes. InternalError for others.
const Backend& backend_of(const Device& device);

/// Whether this build supports a device type.
bool has_backend(Device::Kind kind);

/// The device that holds a tensor.
Device device_of(const at::Tensor& tensor);

}  // namespace gir
