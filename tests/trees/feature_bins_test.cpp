#include "feature_bins.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace gir {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(BinEdges, LieBetweenDistinctValues) {
  EXPECT_THAT(bin_edges(std::vector<float>{1, 1, 2, 2, 2, 5}, 255), ElementsAre(1.5, 3.5));
  EXPECT_THAT(bin_edges(std::vector<float>{1, 1, 2, 2, 2, 5}, 3), ElementsAre(1.5, 3.5)) << "just enough bins";
  EXPECT_THAT(bin_edges(std::vector<float>{3, 3, 3}, 255), IsEmpty());
  EXPECT_THAT(bin_edges(std::vector<float>{}, 255), IsEmpty());
}

TEST(BinEdges, SeparateValuesWithoutAFloatBetweenThem) {
  const float above_one = std::nextafter(1.0F, 2.0F);
  EXPECT_THAT(bin_edges(std::vector<float>{1, above_one}, 255), ElementsAre(1));
  EXPECT_THAT(bin_edges(std::vector<float>{-kInfinity, 5, kInfinity}, 255), ElementsAre(-kInfinity, 5));
  EXPECT_THAT(bin_edges(std::vector<float>{-kInfinity, kInfinity}, 255), ElementsAre(-kInfinity));
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_THAT(bin_edges(std::vector<float>{kLargest / 2, kLargest}, 255), ElementsAre(kLargest * 0.75F))
      << "the sum of both is no float";
}

TEST(BinEdges, AreQuantilesOfMoreValuesThanBins) {
  std::vector<float> values(100);
  std::iota(values.begin(), values.end(), 0.0F);
  EXPECT_THAT(bin_edges(values, 2), ElementsAre(49.5));
  EXPECT_THAT(bin_edges(values, 4), ElementsAre(24.5, 49.5, 74.5));
}

TEST(BinEdges, GiveAFrequentValueABinAndTheOthersTheRest) {
  std::vector<float> values(90, 0.0F);
  for (int i = 1; i <= 10; ++i) values.push_back(static_cast<float>(i));
  EXPECT_THAT(bin_edges(values, 3), ElementsAre(0.5, 5.5));
}

TEST(FeatureBins, AgreeWithTheirEdges) {
  const RandomStream random(1, "test");
  std::vector<float> values;
  for (std::uint64_t i = 0; i < 600; ++i) {
    values.push_back(static_cast<float>(random.below(2 * i, 40)));          // few values
    values.push_back(static_cast<float>(random.uniform(2 * i + 1) - 0.5));  // more than bins
  }
  values[1] = -kInfinity;
  values[3] = kInfinity;
  const FeatureRows rows{.values = values, .columns = 2};
  const FeatureBins bins(rows, 50, 0);
  EXPECT_EQ(bins.num_bins(0), 40);
  EXPECT_EQ(bins.num_bins(1), 50);
  for (std::int64_t column = 0; column < 2; ++column) {
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      for (std::int64_t bin = 0; bin + 1 < bins.num_bins(column); ++bin) {
        ASSERT_EQ(bins.column(column)[i] <= bin, rows.row(i)[column] <= bins.edge(column, bin)) << "row " << i;
      }
    }
  }
}

TEST(FeatureBins, OfMoreRowsThanTheSampleHaveNearlyEqualSizes) {
  std::vector<float> values(250'000);
  std::iota(values.begin(), values.end(), 0.0F);
  const FeatureBins bins({.values = values, .columns = 1}, 100, 0);
  ASSERT_EQ(bins.num_bins(0), 100);
  std::vector<std::int64_t> sizes(100, 0);
  for (std::size_t i = 0; i < values.size(); ++i) ++sizes[bins.column(0)[i]];
  EXPECT_THAT(sizes, Each(::testing::AllOf(::testing::Ge(2'300), Le(2'700))));
}

TEST(DrawAscending, GivesDistinctNumbersInOrder) {
  for (std::int64_t chosen = 0; chosen <= 20; ++chosen) {
    const auto drawn = draw_ascending(20, chosen, RandomStream(3, "test"));
    EXPECT_EQ(std::ssize(drawn), chosen);
    EXPECT_EQ(std::set<std::int32_t>(drawn.begin(), drawn.end()).size(), drawn.size());
    EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
    if (!drawn.empty()) {
      EXPECT_GE(drawn.front(), 0);
      EXPECT_LT(drawn.back(), 20);
    }
  }
}

TEST(DrawAscending, TakesEveryNumberEquallyOften) {
  std::vector<int> times(10, 0);
  for (std::uint64_t draw = 0; draw < 10'000; ++draw) {
    for (const std::int32_t number : draw_ascending(10, 3, RandomStream(0, "test", draw))) {
      ++times[static_cast<std::size_t>(number)];
    }
  }
  // 3,000 times with a standard deviation of 46.
  EXPECT_THAT(times, Each(::testing::AllOf(::testing::Ge(2'800), Le(3'200))));
}

}  // namespace
}  // namespace gir
