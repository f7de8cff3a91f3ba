#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "../dropout.h"
#include "epoch_stream.h"
#include "gir/nn/recording.h"

namespace gir::cuda {

/// Recording::of() on the stream of the calling thread.
std::unique_ptr<Recording> record(std::uint64_t epoch, const StepNumbers& numbers,
                                  const std::function<void(const at::Tensor& numbers)>& work);

// Kernel arguments for random numbers: during a capture they contain the device address of the shift to the replayed
// epoch.

EpochStream epoch_stream(const RandomStream& stream);
EpochDropout epoch_dropout(const Dropout& dropout);

}  // namespace gir::cuda
