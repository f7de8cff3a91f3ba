#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir::cuda {

/// Random numbers of an epoch. Work that was recorded is done again in other epochs: what leads there from the recorded
/// one is read on the device.
struct EpochStream {
  RandomStream recorded;
  const std::uint64_t* shift = nullptr;  ///< on the device; null: the recorded epoch it is
};

/// Dropout for kernels.
struct EpochDropout {
  std::uint32_t threshold;  ///< words below it drop; 0: nothing is drawn
  double scale;             ///< of what is kept
  EpochStream stream;
};

}  // namespace gir::cuda
