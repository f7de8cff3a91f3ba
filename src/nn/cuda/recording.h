#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "../dropout.h"
#include "epoch_stream.h"
#include "gir/nn/recording.h"
#include "optimizer.h"

namespace gir::cuda {

/// Recording::of() on this thread's stream.
std::unique_ptr<Recording> record(std::uint64_t epoch, const std::function<void()>& work);

// What kernels are to be given: with the places that repetitions look at, where this thread records.

EpochStream epoch_stream(const RandomStream& stream);
EpochDropout epoch_dropout(const Dropout& dropout);
CurrentFactors current_factors(const StepFactors& factors);

}  // namespace gir::cuda
