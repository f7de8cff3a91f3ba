#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir::cuda {

/// The random numbers of an epoch. A captured CUDA graph is replayed in other epochs, so kernels read the difference to
/// the captured epoch from device memory.
struct EpochStream {
  RandomStream captured;
  const std::uint64_t* shift = nullptr;  ///< in device memory; null: not captured
};

/// Dropout as an argument of kernels.
struct EpochDropout {
  std::uint32_t threshold;  ///< a value is dropped if its random word is below; 0: no random numbers are drawn
  double scale;             ///< 1 / (1 - rate)
  EpochStream stream;
};

}  // namespace gir::cuda
