#include "gir/runs/statistics.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/random.h"

namespace gir {
namespace {

using Values = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Values random_values(Rng& rng, std::size_t size) {
  Values values(size);
  for (double& value : values) value = rng.uniform();
  return values;
}

/// Twice the integral of Student's density from t to infinity by Simpson's rule, with x = t / s and s in (0, 1].
double p_by_integration(double t, double degrees) {
  const double scale =
      std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) / std::sqrt(degrees * std::numbers::pi);
  const auto integrand = [&](double s) {
    if (s == 0) return degrees == 1 ? scale * degrees / t : 0.0;
    const double x = t / s;
    return scale * std::pow(1 + x * x / degrees, -(degrees + 1) / 2) * t / (s * s);
  };
  constexpr int kSteps = 20000;
  double sum = integrand(0) + integrand(1);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * integrand(static_cast<double>(i) / kSteps);
  return 2 * sum / (3 * kSteps);
}

TEST(Summary, OfAnExampleByHand) {
  const Summary summary = summarise(Values{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.sd, std::sqrt(32.0 / 7));
  EXPECT_EQ(summary.runs, 8);
}

TEST(Summary, OneRunHasNoStandardDeviation) {
  const Summary summary = summarise(Values{0.1});
  EXPECT_EQ(summary.mean, 0.1);
  EXPECT_EQ(summary.sd, 0);
  EXPECT_EQ(summary.runs, 1);
}

TEST(Summary, IsZeroWithoutValues) {
  const Summary summary = summarise({});
  EXPECT_EQ(summary.mean, 0);
  EXPECT_EQ(summary.sd, 0);
  EXPECT_EQ(summary.runs, 0);
}

TEST(Summary, EqualValuesHaveExactlyZeroStandardDeviation) {
  for (const std::size_t size : {2, 3, 7, 10, 1000}) {
    const Summary summary = summarise(Values(size, 0.1));
    EXPECT_EQ(summary.mean, 0.1);
    EXPECT_EQ(summary.sd, 0);
  }
}

TEST(Summary, IsPreciseWithALargeOffset) {
  const Summary summary = summarise(Values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  EXPECT_EQ(summary.mean, 1e9 + 10);
  EXPECT_DOUBLE_EQ(summary.sd, std::sqrt(30.0));
}

TEST(Summary, ShiftingMovesTheMeanAndScalingMultipliesBoth) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, "summary");
    const Values values = random_values(rng, 2 + rng.below(20));
    Values moved = values;
    for (double& value : moved) value = 3 * value - 7;
    const Summary summary = summarise(values);
    EXPECT_NEAR(summarise(moved).mean, 3 * summary.mean - 7, 1e-12);
    EXPECT_NEAR(summarise(moved).sd, 3 * summary.sd, 1e-12);
  }
}

TEST(Summary, ValuesThatAreNotFiniteAreAnInternalError) {
  EXPECT_THROW(summarise(Values{1, kNan}), InternalError);
  EXPECT_THROW(summarise(Values{kInfinity, 1}), InternalError);
}

TEST(StudentT, GivesTheTabulatedCriticalValues) {
  struct Row {
    double degrees, t, p;
  };
  for (const auto& [degrees, t, p] :
       {Row{1, 12.706, 0.05}, Row{2, 4.303, 0.05}, Row{4, 2.776, 0.05}, Row{5, 2.571, 0.05}, Row{9, 2.262, 0.05},
        Row{10, 2.228, 0.05}, Row{30, 2.042, 0.05}, Row{9, 3.250, 0.01}, Row{10, 3.169, 0.01}, Row{10, 4.587, 0.001},
        Row{10, 1.812, 0.1}, Row{60, 1.296, 0.2}}) {
    EXPECT_NEAR(student_t_p(t, degrees), p, p * 1e-3) << degrees << " " << t;
  }
}

TEST(StudentT, AgreesWithTheClosedFormsOfFewDegrees) {
  for (const double t : {1e-6, 0.01, 0.3, 1.0, 1.5, 2.0, 5.0, 12.7, 100.0}) {
    EXPECT_NEAR(student_t_p(t, 1), 1 - 2 / std::numbers::pi * std::atan(t), 1e-14) << t;
    EXPECT_NEAR(student_t_p(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-14) << t;
    const double angle = std::atan(t / std::sqrt(3.0));
    EXPECT_NEAR(student_t_p(t, 3), 1 - 2 / std::numbers::pi * (angle + std::sin(angle) * std::cos(angle)), 1e-14) << t;
    const double sine = t / std::sqrt(4 + t * t);
    EXPECT_NEAR(student_t_p(t, 4), 1 - sine * (1 + (1 - sine * sine) / 2), 1e-14) << t;
  }
}

TEST(StudentT, AgreesWithTheIntegralOfTheDensity) {
  for (const double degrees : {1.0, 2.0, 3.0, 5.0, 9.0, 10.0, 29.0, 99.0}) {
    for (const double t : {0.5, 1.0, 2.0, 2.228, 4.0, 10.0}) {
      const double expected = p_by_integration(t, degrees);
      EXPECT_NEAR(student_t_p(t, degrees), expected, 1e-9 * expected) << degrees << " " << t;
    }
  }
}

TEST(StudentT, SmallProbabilitiesArePrecise) {
  // For large t and 2 degrees of freedom 1 - t / sqrt(2 + t^2) is 1 / t^2 up to a relative error of 1.5 / t^2.
  EXPECT_NEAR(student_t_p(1e6, 2) * 1e12, 1, 1e-11);
  EXPECT_NEAR(student_t_p(1e100, 2) * 1e200, 1, 1e-11);
}

TEST(StudentT, TendsToTheNormalDistribution) {
  for (const double t : {0.1, 1.0, 1.96, 3.0}) EXPECT_NEAR(student_t_p(t, 1e7), std::erfc(t / std::sqrt(2)), 1e-6);
}

TEST(StudentT, IsOneAtZeroDecreasesAndIsSymmetric) {
  for (const double degrees : {1.0, 2.0, 4.5, 9.0, 1000.0}) {
    EXPECT_EQ(student_t_p(0, degrees), 1);
    double last = 1;
    for (double t = 0.01; t < 20; t *= 1.1) {
      const double p = student_t_p(t, degrees);
      EXPECT_EQ(student_t_p(-t, degrees), p);
      EXPECT_LT(p, last);
      EXPECT_GT(p, 0);
      last = p;
    }
    EXPECT_EQ(student_t_p(kInfinity, degrees), 0);
  }
}

TEST(StudentT, InvalidArgumentsAreAnInternalError) {
  EXPECT_THROW(student_t_p(kNan, 3), InternalError);
  EXPECT_THROW(student_t_p(1, 0), InternalError);
}

TEST(IncompleteBeta, AgreesWithItsClosedForms) {
  for (const double x : {0.0, 1e-9, 0.1, 0.25, 0.5, 0.9, 0.999, 1.0}) {
    for (const double a : {0.01, 0.5, 1.0, 3.0, 40.0, 500.0}) {
      EXPECT_NEAR(incomplete_beta(a, 1, x), std::pow(x, a), 1e-12) << a << " " << x;
      EXPECT_NEAR(incomplete_beta(1, a, x), 1 - std::pow(1 - x, a), 1e-12) << a << " " << x;
    }
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2 / std::numbers::pi * std::asin(std::sqrt(x)), 1e-14) << x;
  }
}

TEST(IncompleteBeta, OfIntegersIsATailOfTheBinomialDistribution) {
  // I_x(a, n - a + 1) is the probability of at least a successes in n trials.
  for (int n = 1; n <= 30; ++n) {
    for (const double x : {0.05, 0.3, 0.5, 0.8}) {
      double chance = std::pow(1 - x, n);
      double below = 0;
      for (int a = 1; a <= n; ++a) {
        below += chance;
        EXPECT_NEAR(incomplete_beta(a, n - a + 1, x), 1 - below, 1e-12) << a << " of " << n << " at " << x;
        chance *= (n - a + 1) * x / (a * (1 - x));
      }
    }
  }
}

TEST(IncompleteBeta, AddsUpToOneWithArgumentsSwapped) {
  Rng rng(3, "beta");
  for (int i = 0; i < 500; ++i) {
    const double a = std::exp(10 * rng.uniform() - 3);
    const double b = std::exp(10 * rng.uniform() - 3);
    const double x = rng.uniform();
    EXPECT_NEAR(incomplete_beta(a, b, x) + incomplete_beta(b, a, 1 - x), 1, 1e-10) << a << " " << b << " " << x;
  }
}

TEST(IncompleteBeta, IsDefinedForPositiveNumbersAndFractionsOnly) {
  EXPECT_THROW(incomplete_beta(0, 1, 0.5), InternalError);
  EXPECT_THROW(incomplete_beta(1, -1, 0.5), InternalError);
  EXPECT_THROW(incomplete_beta(1, 1, 1.5), InternalError);
  EXPECT_THROW(incomplete_beta(1, 1, kNan), InternalError);
}

TEST(PairedTTest, OfAnExampleByHand) {
  // Differences 1, 2, 3: mean 2, standard error 1 / sqrt(3).
  const PairedTest test = paired_t_test(Values{2, 4, 6}, Values{1, 2, 3});
  EXPECT_DOUBLE_EQ(test.mean_difference, 2);
  EXPECT_DOUBLE_EQ(test.t, 2 * std::sqrt(3.0));
  EXPECT_NEAR(test.p, 1 - std::sqrt(12.0 / 14), 1e-14);
  EXPECT_EQ(test.pairs, 3);
}

TEST(PairedTTest, IsInconclusiveWithFewerThanTwoPairs) {
  const PairedTest none = paired_t_test({}, {});
  EXPECT_EQ(none.pairs, 0);
  EXPECT_EQ(none.p, 1);
  const PairedTest one = paired_t_test(Values{3}, Values{1});
  EXPECT_EQ(one.mean_difference, 2);
  EXPECT_EQ(one.t, 0);
  EXPECT_EQ(one.p, 1);
  EXPECT_EQ(one.pairs, 1);
}

TEST(PairedTTest, EqualSamplesDoNotDiffer) {
  const Values values = {0.1, 0.7, 0.3};
  const PairedTest test = paired_t_test(values, values);
  EXPECT_EQ(test.mean_difference, 0);
  EXPECT_EQ(test.t, 0);
  EXPECT_EQ(test.p, 1);
}

TEST(PairedTTest, AConstantDifferenceHasPZero) {
  const PairedTest more = paired_t_test(Values{3, 4, 5}, Values{1, 2, 3});
  EXPECT_EQ(more.t, kInfinity);
  EXPECT_EQ(more.p, 0);
  const PairedTest less = paired_t_test(Values{1, 2, 3}, Values{3, 4, 5});
  EXPECT_EQ(less.t, -kInfinity);
  EXPECT_EQ(less.p, 0);
}

TEST(PairedTTest, SwappingTheSamplesChangesOnlyTheSign) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, "pairs");
    const std::size_t size = 2 + rng.below(20);
    const Values first = random_values(rng, size);
    const Values second = random_values(rng, size);
    const PairedTest test = paired_t_test(first, second);
    const PairedTest other = paired_t_test(second, first);
    EXPECT_EQ(test.mean_difference, -other.mean_difference);
    EXPECT_EQ(test.t, -other.t);
    EXPECT_EQ(test.p, other.p);
    EXPECT_GT(test.p, 0);
    EXPECT_LE(test.p, 1);
  }
}

TEST(PairedTTest, IgnoresWhatBothSamplesShare) {
  const PairedTest plain = paired_t_test(Values{1, 5, 2, 8}, Values{2, 3, 2, 4});
  const PairedTest moved = paired_t_test(Values{101, 1005, 2, 28}, Values{102, 1003, 2, 24});
  EXPECT_DOUBLE_EQ(plain.t, moved.t);
  EXPECT_DOUBLE_EQ(plain.p, moved.p);
}

TEST(PairedTTest, PValuesAreUniformUnderTheNullHypothesis) {
  // The mean of ten differences of uniform numbers is nearly normal, so p is below 0.1 in one of ten cases.
  constexpr int kRounds = 4000;
  int below = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    Rng rng(seed, "null");
    const Values first = random_values(rng, 10);
    below += paired_t_test(first, random_values(rng, 10)).p < 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(below / double{kRounds}, 0.1, 0.02);
}

TEST(PairedTTest, SamplesOfDifferentLengthAreAnInternalError) {
  EXPECT_THROW(paired_t_test(Values{1, 2}, Values{1}), InternalError);
}

TEST(HolmAdjusted, MatchesAnExampleComputedByHand) {
  const std::vector<double> values = {0.01, 0.04, 0.03, 0.005};
  const std::vector<double> adjusted = holm_adjusted(values);
  // In ascending order 0.005 * 4, 0.01 * 3, 0.03 * 2 and 0.04 * 1, which must not be below the one before it.
  EXPECT_THAT(adjusted, ::testing::ElementsAre(::testing::DoubleEq(0.03), ::testing::DoubleEq(0.06),
                                               ::testing::DoubleEq(0.06), ::testing::DoubleEq(0.02)));
  EXPECT_TRUE(holm_adjusted({}).empty());
  EXPECT_EQ(holm_adjusted(std::vector<double>{0.7, 0.6}), (std::vector<double>{1, 1})) << "at most 1";
}

}  // namespace
}  // namespace gir
