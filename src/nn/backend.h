#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gir/nn/device.h"
#include "gir/nn/pair_sampler.h"
#include "gir/nn/recording.h"

namespace gir {

/// What a device sets up for a thread that works under a context; undone when it is destroyed.
struct ContextScope::DeviceState {
  virtual ~DeviceState() = default;
};

/// A number on its way to the CPU.
struct PendingNumber::State {
  virtual ~State() = default;
  virtual float wait() = 0;
};

/// What a kind of device can do beside its kernels.
class Backend {
 public:
  virtual ~Backend() = default;

  /// `problem` gets a line where there is none.
  virtual std::vector<DeviceDescription> devices(std::string& problem) const = 0;

  /// Checks that this build can compute on a device, and wakes it up.
  virtual void prepare(const Device& /*device*/) const {}

  virtual std::unique_ptr<ContextScope::DeviceState> enter(const Context& /*context*/) const { return nullptr; }

  /// Empty where the CPU searches.
  virtual DistanceSearch distance_search(const Context& /*context*/) const { return {}; }

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

/// The one place that knows which kinds of devices this build has. InternalError for others.
const Backend& backend_of(const Device& device);

/// Whether this build can compute on a kind of device.
bool has_backend(Device::Kind kind);

/// Where a tensor is.
Device device_of(const at::Tensor& tensor);

}  // namespace gir
