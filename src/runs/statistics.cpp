#include "gir/runs/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "gir/core/error.h"

namespace gir {
namespace {

/// Coefficient n = 1, 2, ... of the continued fraction 1 + d1 x / (1 + d2 x / (1 + ...)) of I_x(a, b): DLMF 8.17.22
/// (https://dlmf.nist.gov/8.17.E22).
double fraction_coefficient(double a, double b, int n) {
  const double m = n / 2;
  const double divisor = (a + n - 1) * (a + n);
  return n % 2 == 0 ? m * (b - m) / divisor : -(a + m) * (a + b + m) / divisor;
}

/// The continued fraction truncated after `depth` coefficients, evaluated from the innermost outwards: every step
/// divides by a number well above zero, so rounding errors do not accumulate.
double truncated_fraction(double a, double b, double x, int depth) {
  double value = 1;
  for (int n = depth; n >= 1; --n) value = 1 + fraction_coefficient(a, b, n) * x / value;
  return value;
}

/// The continued fraction, with the depth doubled until the value converges. Converges quickly for x < (a + 1) / (a + b
/// + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTolerance = 4 * std::numeric_limits<double>::epsilon();
  constexpr int kMaxDepth = 1 << 20;
  double value = truncated_fraction(a, b, x, 16);
  for (int depth = 32; depth <= kMaxDepth; depth *= 2) {
    const double deeper = truncated_fraction(a, b, x, depth);
    if (std::abs(deeper - value) <= kTolerance * std::abs(deeper)) return deeper;
    value = deeper;
  }
  return value;
}

/// I_x(a, b) for x small enough that the continued fraction converges quickly. `rest` is 1 - x, passed in to avoid the
/// cancellation of the subtraction.
double lower_beta(double a, double b, double x, double rest) {
  if (x == 0) return 0;
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  const double front = std::exp(a * std::log(x) + b * std::log(rest) - log_beta) / a;
  return std::clamp(front / beta_fraction(a, b, x), 0.0, 1.0);
}

double incomplete_beta_with_rest(double a, double b, double x, double rest) {
  if (x <= (a + 1) / (a + b + 2)) return lower_beta(a, b, x, rest);
  return 1 - lower_beta(b, a, rest, x);
}

}  // namespace

Summary summarise(std::span<const double> values) {
  ensure(std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }), "finite values");
  const auto runs = static_cast<double>(values.size());
  if (values.empty()) return {};
  // Differences from the first value, so that equal values have exactly zero deviation.
  double shift = 0;
  for (const double value : values) shift += (value - values[0]) / runs;
  Summary summary{.mean = values[0] + shift, .sd = 0, .runs = std::ssize(values)};
  double squares = 0;
  for (const double value : values) squares += std::pow(value - values[0] - shift, 2);
  if (summary.runs > 1) summary.sd = std::sqrt(squares / (runs - 1));
  return summary;
}

PairedTest paired_t_test(std::span<const double> first, std::span<const double> second) {
  ensure(first.size() == second.size(), "as many values on both sides of a paired test");
  std::vector<double> differences(first.begin(), first.end());
  for (std::size_t i = 0; i < second.size(); ++i) differences[i] -= second[i];
  const Summary summary = summarise(differences);
  PairedTest test{.mean_difference = summary.mean, .t = 0, .p = 1, .pairs = summary.runs};
  if (test.pairs < 2 || summary.mean == 0) return test;
  // Infinite if all differences are equal, and then p is 0.
  test.t = summary.mean / (summary.sd / std::sqrt(static_cast<double>(test.pairs)));
  test.p = student_t_p(test.t, static_cast<double>(test.pairs - 1));
  return test;
}

std::vector<double> holm_adjusted(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> adjusted(values.size());
  double largest = 0;  // no adjusted value is below that of a smaller one
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, values[order[rank]] * static_cast<double>(order.size() - rank));
    adjusted[order[rank]] = std::min(1.0, largest);
  }
  return adjusted;
}

double student_t_p(double t, double degrees_of_freedom) {
  ensure(!std::isnan(t) && degrees_of_freedom > 0, "t must not be NaN, and degrees of freedom must be positive");
  // With x = 1 / (1 + t^2 / df) both x and 1 - x are available without cancellation.
  const double ratio = t / std::sqrt(degrees_of_freedom);
  const double square = ratio * ratio;
  if (std::isinf(square)) return 0;
  return incomplete_beta_with_rest(degrees_of_freedom / 2, 0.5, 1 / (1 + square), square / (1 + square));
}

double incomplete_beta(double a, double b, double x) {
  ensure(a > 0 && b > 0 && x >= 0 && x <= 1, "arguments in the domain of the incomplete beta function");
  return incomplete_beta_with_rest(a, b, x, 1 - x);
}

}  // namespace gir
