#pragma once

#include <array>
#include <cstdint>

#include "gir/core/random.h"

namespace gir {

/// Number of random numbers that are drawn together, which vector instructions make faster than one by one.
inline constexpr std::size_t kRandomBatch = 16;

/// stream.below(first, bound), stream.below(first + 1, bound), ...
std::array<std::uint64_t, kRandomBatch> random_below(const RandomStream& stream, std::uint64_t first,
                                                     std::uint64_t bound);

}  // namespace gir
