#pragma once

#include <cstdint>

namespace gir::cpu {

/// Σ term(j) over j in [0, width), accumulated in `Sum`. Sixteen partial sums that are added pairwise at the end, so
/// that the loop vectorises and the result is bit-identical for every vector width.
template <typename Sum, typename Term>
[[gnu::always_inline]] inline Sum lane_sum(std::int64_t width, const Term& term) {
  constexpr std::int64_t kLanes = 16;
  Sum lanes[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= width; j += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(j + lane);
  }
  for (std::int64_t lane = 0; j + lane < width; ++lane) lanes[lane] += term(j + lane);
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::int64_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

/// Σ a[j] b[j]
template <typename Sum, typename Real>
[[gnu::always_inline]] inline Sum dot(const Real* a, const Real* b, std::int64_t width) {
  return lane_sum<Sum>(width, [&](std::int64_t j) { return static_cast<Sum>(a[j]) * static_cast<Sum>(b[j]); });
}

}  // namespace gir::cpu
