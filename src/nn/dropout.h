#pragma once

#include <cstdint>

#include "gir/core/random.h"

namespace gir {

/// Inverted dropout: dropped values become zero, the others are multiplied by `scale`.
struct Dropout {
  std::uint32_t threshold;  ///< a value is dropped if its random word is below; 0: no random numbers are drawn
  double scale;             ///< 1 / (1 - rate)
  RandomStream stream;
};

/// Dropout with a rate in [0, 1).
Dropout dropout_at(double rate, const RandomStream& stream);

}  // namespace gir
