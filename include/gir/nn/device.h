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

/// The devices that this build finds on this machine, the CPU first. `problem`, where it is not null, gets a line that
/// says why there is no other; empty where there is one.
GIR_API std::vector<DeviceDescription> list_devices(std::string* problem = nullptr);

/// A context that computes on "cpu", "cuda" or "cuda:N". UserError for devices that this build or machine does not
/// have, and for precisions that the device does not know.
GIR_API Context make_context(std::string_view device, std::string_view precision = "fp32");

GIR_API at::Device torch_device(const Device& device);

/// While this lives, the calling thread works under a context: its parallel loops use the context's threads, torch and
/// its BLAS compute on the calling thread alone, and on a GPU its kernels use the context's precision and a stream of
/// their own, which waits for nothing that other threads ask for. Scopes nest; at the end everything is as before.
/// Experiment and Trainer open one themselves. Needed by those who call models or layers directly.
class GIR_API ContextScope {
 public:
  explicit ContextScope(const Context& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  struct DeviceState;  ///< what a kind of device sets up for a thread

 private:
  ThreadScope threads_;
  SerialLibraries serial_;
  std::unique_ptr<DeviceState> device_;
};

/// How distances are found on a context's device; empty for the CPU.
GIR_API DistanceSearch distance_search(const Context& context);

/// Moves floating-point tensors to the device, in place: all who hold them see it. Integers stay on the CPU, since no
/// kernel reads them.
GIR_API void move_to_device(std::span<const NamedTensor> tensors, const Device& device);

/// A number that a device is about to compute. wait() returns when it is there, and does not wait for what the device
/// was asked to do after this was made.
class GIR_API PendingNumber {
 public:
  /// `number` is a float of one value.
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
