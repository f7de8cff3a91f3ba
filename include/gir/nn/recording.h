#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "gir/nn/step_factors.h"

namespace gir {

/// Work that a device was told once and does again at one word: small kernels end sooner than the next one can be asked
/// for.
class Recording {
 public:
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Whether the device that computes can record.
  static bool is_possible();

  /// Tells the device what `work` asks of it as epoch `epoch`; nothing of it happens yet. The calling thread needs a
  /// DeviceQueue. What the work reads must be on the device (so let it happen once or twice before), and it must not
  /// wait for results. Tensors that it made hold what the last repetition left there; other recordings of the same
  /// thread may use the rest of its memory meanwhile. Torch's exceptions where the device refuses.
  static std::unique_ptr<Recording> of(std::uint64_t epoch, const std::function<void()>& work);

  /// Asks for the work: with the random numbers of another epoch, and with these factors in the steps of optimisers.
  virtual void repeat(std::uint64_t epoch, const StepFactors& factors) = 0;

 protected:
  Recording() = default;
};

}  // namespace gir
