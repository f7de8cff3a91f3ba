#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir {

/// What is dropped becomes zero, the rest grows.
struct Dropout {
  std::uint32_t threshold;  ///< words below it drop; 0: nothing is drawn
  double scale;             ///< of what is kept
  RandomStream stream;
};

/// Drops a share `rate` of the values, from 0 to below 1.
Dropout dropout_at(double rate, const RandomStream& stream);

}  // namespace gir
