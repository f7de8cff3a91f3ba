#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/nn/device.h"
#include "gir/nn/pair_sampler.h"
#include "gir/nn/recording.h"

namespace gir {

/// What a thread's queue on a device is made of; gone, the thread is back on the common one.
struct DeviceQueue::State {
  virtual ~State() = default;
};

/// A number on its way to the processor.
struct PendingNumber::State {
  virtual ~State() = default;
  virtual float wait() = 0;
};

/// A kind of device.
class Backend {
 public:
  virtual ~Backend() = default;

  /// `problem` gets a line where there is none.
  virtual std::vector<DeviceDescription> devices(std::string& problem) const = 0;

  /// Gets a device ready to compute for this thread; others need a queue.
  virtual void use(const at::Device& /*device*/, Precision /*precision*/) const {}

  /// Null where the processor searches.
  virtual DistanceSearch distance_search() const { return nullptr; }

  virtual bool records() const { return false; }
  virtual std::unique_ptr<Recording> record(std::uint64_t /*epoch*/, const std::function<void()>& /*work*/) const {
    return nullptr;
  }

  virtual std::unique_ptr<PairSampler> pair_sampler(const PairSource& /*source*/) const { return nullptr; }

  virtual std::unique_ptr<DeviceQueue::State> queue() const { return nullptr; }
  virtual std::unique_ptr<PendingNumber::State> read_soon(const at::Tensor& number) const = 0;
  virtual DeviceMemory memory() const { return {}; }
  virtual void forget_most_memory() const {}
};

/// The one place that knows which kinds of devices this build has. InternalError for others.
const Backend& backend_of(const at::Device& device);

/// Whether this build can compute on a kind of device.
bool has_backend(at::DeviceType type);

}  // namespace gir
