#pragma once

#include <cmath>
#include <cstdint>

#include "gir/data/node_pair.h"

namespace gir {

/// A pair as one 64-bit key.
constexpr std::uint64_t key_of(NodePair pair) {
  return std::uint64_t{static_cast<std::uint32_t>(pair.first)} << 32 | static_cast<std::uint32_t>(pair.second);
}

/// A key that no pair has.
inline constexpr std::uint64_t kNoPair = ~std::uint64_t{0};

/// Fibonacci hashing: the high bits depend on all bits of the key.
constexpr std::uint64_t pair_hash(std::uint64_t key) { return key * 0x9E3779B97F4A7C15; }

/// Number of unordered pairs of `nodes` nodes.
constexpr std::uint64_t pairs_among(std::uint64_t nodes) { return nodes < 2 ? 0 : nodes * (nodes - 1) / 2; }

struct PlacesOfPair {
  std::uint64_t smaller;
  std::uint64_t larger;
};

#ifdef __CUDACC__
#define GIR_ANYWHERE __host__ __device__
#else
#define GIR_ANYWHERE
#endif

/// The pair of index `number` among the pairs (i, j), i < j, in the order (0,1), (0,2), (1,2), (0,3), ...
GIR_ANYWHERE inline PlacesOfPair places_of_pair(std::uint64_t number) {
  // The solution of a quadratic equation, which rounding may put off by a little; the loops correct it.
  auto larger = static_cast<std::uint64_t>((1 + sqrt(1 + 8 * static_cast<double>(number))) / 2);
  while (pairs_among(larger) > number) --larger;
  while (pairs_among(larger + 1) <= number) ++larger;
  return {number - pairs_among(larger), larger};
}

#undef GIR_ANYWHERE

}  // namespace gir
