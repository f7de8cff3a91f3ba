#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/export.h"

namespace gir {

/// Mean and standard deviation over runs.
struct GIR_API Summary {
  double mean = 0;
  double sd = 0;  ///< sample standard deviation (divisor runs - 1); 0 for one run
  std::int64_t runs = 0;
};

/// All zero without values. The standard deviation is exactly 0 if all values are equal. Values must be finite. O(n).
GIR_API Summary summarise(std::span<const double> values);

/// Result of a two-sided paired t-test.
struct GIR_API PairedTest {
  double mean_difference = 0;  ///< first minus second
  double t = 0;                ///< mean difference divided by its standard error
  double p = 1;                ///< p-value: probability of a |t| at least as large under the null hypothesis
  std::int64_t pairs = 0;
};

/// Compares two methods over paired runs (same split, same seed). With fewer than two pairs t is 0 and p is 1. If all
/// differences are equal, t is 0 and p is 1 if they are zero, else t is infinite and p is 0. Values must be finite.
/// O(n).
GIR_API PairedTest paired_t_test(std::span<const double> first, std::span<const double> second);

/// p-values of several tests, adjusted by Holm's method: comparing them with a level bounds the probability of any
/// false rejection among all of the tests by that level. In the order of `values`. O(n log n).
GIR_API std::vector<double> holm_adjusted(std::span<const double> values);

/// Two-sided p-value: probability that |T| >= |t| for Student's t distribution with `degrees_of_freedom` > 0. t must
/// not be NaN.
GIR_API double student_t_p(double t, double degrees_of_freedom);

/// The regularised incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1], by its continued fraction:
/// about 12 digits for a and b up to a thousand, fewer beyond. O(sqrt(max(a, b))).
GIR_API double incomplete_beta(double a, double b, double x);

}  // namespace gir
