#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/nn/step_factors.h"

namespace gir {

/// Work that was captured once as a CUDA graph and is replayed with a single launch. For small graphs an epoch consists
/// of kernels that finish sooner than the CPU can launch the next one.
class GIR_API Recording {
 public:
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Whether a device supports capture.
  static bool is_possible(const Device& device);

  /// Captures the kernels that `work` launches as epoch `epoch`; nothing is executed yet. `work` gets the numbers of an
  /// optimiser step as a tensor on the device, double [size of numbers], whose values every replay replaces. The
  /// calling thread needs a ContextScope. Everything that `work` reads must already be on the device (so run a few
  /// warm-up epochs first), and it must not synchronise. Tensors that it created hold the values of the last replay;
  /// the rest of its memory is shared with other recordings of the same thread. Throws torch's exceptions if the
  /// capture fails.
  static std::unique_ptr<Recording> of(const Device& device, std::uint64_t epoch, const StepNumbers& numbers,
                                       const std::function<void(const at::Tensor& numbers)>& work);

  /// Launches the graph with the random numbers of epoch `epoch` and with these numbers of the optimiser step.
  virtual void replay(std::uint64_t epoch, const StepNumbers& numbers) = 0;

 protected:
  Recording() = default;
};

}  // namespace gir
