#pragma once

#include <cstdint>
#include <type_traits>

#include "lanes.h"

namespace gir::cpu {

inline constexpr std::int64_t kTileColumns = 2 * kLaneCount;
inline constexpr int kTileRows = 6;  ///< 12 sums, 2 vectors and a broadcast value: 15 of the 16 registers of AVX2

/// A tile of a matrix product in registers: kRows rows of kTileColumns sums.
template <int kRows, typename Real>
struct Tile {
  Lanes<Real> low[kRows];
  Lanes<Real> high[kRows];

  [[gnu::always_inline]] explicit Tile(const Lanes<Real>& low_start, const Lanes<Real>& high_start) {
    for (int r = 0; r < kRows; ++r) {
      low[r] = low_start;
      high[r] = high_start;
    }
  }

  /// Row r += Σ column(i)[r * stride] * row(i)[0 .. kTileColumns) over i in [begin, end); `column` and `row` return
  /// addresses.
  template <typename Column, typename Row>
  [[gnu::always_inline]] void add_products(std::int64_t begin, std::int64_t end, const Column& column,
                                           std::int64_t stride, const Row& row) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Real* __restrict factors = column(i);
      const Real* __restrict numbers = row(i);
      const Lanes<Real> low_numbers = lanes(numbers);
      const Lanes<Real> high_numbers = lanes(numbers + kLaneCount);
      for (int r = 0; r < kRows; ++r) {
        low[r] += factors[r * stride] * low_numbers;
        high[r] += factors[r * stride] * high_numbers;
      }
    }
  }
};

/// Calls `body(rows, first)` for tiles that cover [0, count): as many as possible of kTileRows rows, then smaller ones.
/// `rows` is a compile-time constant.
template <typename Body>
[[gnu::always_inline]] inline void for_each_tile(std::int64_t count, const Body& body) {
  static_assert(kTileRows < 8, "a remainder of at most 4 + 2 + 1 rows");
  std::int64_t first = 0;
  for (; first + kTileRows <= count; first += kTileRows) body(std::integral_constant<int, kTileRows>(), first);
  if (first + 4 <= count) body(std::integral_constant<int, 4>(), first), first += 4;
  if (first + 2 <= count) body(std::integral_constant<int, 2>(), first), first += 2;
  if (first < count) body(std::integral_constant<int, 1>(), first);
}

}  // namespace gir::cpu
