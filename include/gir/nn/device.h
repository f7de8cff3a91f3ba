#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gir/anchors/distances.h"
#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/core/parallel.h"
#include "gir/nn/parameters.h"
#include "gir/nn/runtime.h"

namespace gir {

struct GIR_API DeviceDescription {
  std::string name;         ///< "cpu", "cuda:0"
  std::string what;         ///< "NVIDIA H200, compute capability 9.0"
  std::int64_t memory = 0;  ///< bytes
};

/// The devices of this machine that this build can use, the CPU first. `problem`, if not null, is set to a line that
/// states why there is no GPU, or to an empty string if there is one.
GIR_API std::vector<DeviceDescription> list_devices(std::string* problem = nullptr);

/// A context that computes on "cpu", "cuda" or "cuda:N". UserError for devices that this build or machine does not
/// have, and for precisions that the device does not support.
GIR_API Context make_context(std::string_view device, std::string_view precision = "fp32");

GIR_API at::Device torch_device(const Device& device);

/// Applies a context to the calling thread for the lifetime of this object: parallel loops use the context's number of
/// threads, torch and its BLAS compute on the calling thread only, and on a GPU kernels use the context's precision and
/// a CUDA stream that belongs to this thread, so it does not wait for the kernels of other threads. Scopes nest; the
/// destructor restores the previous state. Experiment and Trainer open a scope themselves; code that calls models or
/// layers directly has to open one.
class GIR_API ContextScope {
 public:
  explicit ContextScope(const Context& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  struct DeviceState;  ///< per-thread state of a device type

 private:
  ThreadScope threads_;
  SerialLibraries serial_;
  std::unique_ptr<DeviceState> device_;
};

/// Breadth-first search on the context's device; empty for the CPU, which uses the default search.
GIR_API DistanceSearch distance_search(const Context& context);

/// Moves floating-point tensors to the device, in place: all handles to them refer to the moved data. Integer tensors
/// stay on the CPU, since no kernel reads them.
GIR_API void move_to_device(std::span<const NamedTensor> tensors, const Device& device);

/// Asynchronous copy of a scalar from a device. wait() blocks until the value is available, but not for work that was
/// launched after the constructor.
class GIR_API PendingNumber {
 public:
  /// `number` is a float tensor with one element.
  explicit PendingNumber(const at::Tensor& number);
  ~PendingNumber();
  PendingNumber(const PendingNumber&) = delete;
  PendingNumber& operator=(const PendingNumber&) = delete;

  float wait() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// Bytes of a device's memory; all 0 for the CPU.
struct GIR_API DeviceMemory {
  std::int64_t total = 0;
  std::int64_t in_use = 0;  ///< by tensors of this process
  std::int64_t peak = 0;    ///< of in_use, since the start or reset_peak_memory()
};
GIR_API DeviceMemory device_memory(const Device& device);
GIR_API void reset_peak_memory(const Device& device);

}  // namespace gir
