#pragma once

#include <cstdint>

namespace gir::cpu {

inline constexpr std::int64_t kLaneCount = 8;

template <typename Real>
struct LanesOf {
  typedef Real Type __attribute__((vector_size(kLaneCount * sizeof(Real)), aligned(alignof(Real)), may_alias));
};

/// A SIMD vector of eight values, for sums that have to stay in registers: compilers keep arrays in memory. Passed by
/// reference, since the calling convention for vectors differs between the instruction sets of GIR_VECTORISED.
template <typename Real>
using Lanes = typename LanesOf<Real>::Type;

/// The eight values at `address`, which needs no alignment.
template <typename Real>
[[gnu::always_inline]] inline Lanes<Real>& lanes(Real* address) {
  return *reinterpret_cast<Lanes<Real>*>(address);
}
template <typename Real>
[[gnu::always_inline]] inline const Lanes<Real>& lanes(const Real* address) {
  return *reinterpret_cast<const Lanes<Real>*>(address);
}

/// The sum of the eight values, always in the same order.
template <typename Real>
[[gnu::always_inline]] inline Real total(const Lanes<Real>& x) {
  const Lanes<Real> fours = x + __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  const Lanes<Real> twos = fours + __builtin_shufflevector(fours, fours, 2, 3, 0, 1, 6, 7, 4, 5);
  return twos[0] + twos[1];
}

/// 8 * kVectors channels, held in registers.
template <int kVectors, typename Real>
struct Channels {
  Lanes<Real> part[kVectors];

  [[gnu::always_inline]] Channels() : part{} {}
  [[gnu::always_inline]] explicit Channels(const Real* from) {
    for (int k = 0; k < kVectors; ++k) part[k] = lanes(from + k * kLaneCount);
  }
};

}  // namespace gir::cpu
