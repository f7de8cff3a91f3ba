#pragma once

#include <cstdint>
#include <span>

#include "gir/core/export.h"

namespace gir {

/// Metrics of several runs in short.
struct GIR_API Summary {
  double mean = 0;
  double sd = 0;  ///< sample standard deviation (divided by runs - 1); 0 for one run
  std::int64_t runs = 0;
};

/// All zero without values. Exactly 0 for sd where all values are equal. Values must be finite. O(n).
GIR_API Summary summarise(std::span<const double> values);

/// Outcome of a two-sided paired t test.
struct GIR_API PairedTest {
  double mean_difference = 0;  ///< first minus second
  double t = 0;                ///< mean difference over its standard error
  double p = 1;                ///< chance of a |t| at least as large where nothing differs but by luck
  std::int64_t pairs = 0;
};

/// Compares two methods by runs that belong together (same split, same seed). With fewer than two pairs nothing can
/// be told: t is 0 and p is 1. Where all differences are equal, t is 0 and p is 1 when they are zero, else t is
/// infinite and p is 0. Values must be finite. O(n).
GIR_API PairedTest paired_t_test(std::span<const double> first, std::span<const double> second);

/// Chance that |T| >= |t| for Student's T with that many degrees of freedom, more than 0. NaN is not allowed.
GIR_API double student_t_p(double t, double degrees_of_freedom);

/// The regularised incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1], by its continued fraction:
/// about 12 digits for a and b up to a thousand, fewer beyond. O(sqrt(max(a, b))).
GIR_API double incomplete_beta(double a, double b, double x);

}  // namespace gir
