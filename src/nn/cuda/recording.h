#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "../dropout.h"
#include "epoch_stream.h"
#include "gir/nn/recording.h"

namespace gir::cuda {

/// Recording::of() on this thread's stream.
std::unique_ptr<Recording> record(std::uint64_t epoch, const StepNumbers& numbers,
                                  const std::function<void(const at::Tensor& numbers)>& work);

// What kernels are to be given: with the places that repetitions look at, where this thread records.

EpochStream epoch_stream(const RandomStream& stream);
EpochDropout epoch_dropout(const Dropout& dropout);

}  // namespace gir::cuda
