#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/nn/step_factors.h"

namespace gir {

/// Work that a device captured once (a CUDA graph) and repeats with a single launch: small kernels finish sooner than
/// the CPU can launch the next one.
class GIR_API Recording {
 public:
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Whether a device can record.
  static bool is_possible(const Device& device);

  /// Captures what `work` asks of the device as epoch `epoch`; nothing of it is executed yet. `work` gets the numbers
  /// of an optimiser's step as a tensor on the device, double [size of numbers], whose values every repetition
  /// replaces. The calling thread needs a ContextScope. What the work reads must be on the device (so run it once or
  /// twice before), and it must not wait for results. Tensors that it made hold what the last repetition left there;
  /// other recordings of the same thread may use the rest of its memory meanwhile. Torch's exceptions where the device
  /// refuses.
  static std::unique_ptr<Recording> of(const Device& device, std::uint64_t epoch, const StepNumbers& numbers,
                                       const std::function<void(const at::Tensor& numbers)>& work);

  /// Launches the work with the random numbers of another epoch and with these numbers of the optimiser's step.
  virtual void repeat(std::uint64_t epoch, const StepNumbers& numbers) = 0;

 protected:
  Recording() = default;
};

}  // namespace gir
