#include "gir/core/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "gir/core/random_batch.h"

namespace gir {
namespace {

using ::testing::ElementsAre;

static_assert(std::uniform_random_bit_generator<Rng>);

TEST(Philox, GivesThePublishedWords) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_THAT(philox({0, 0, 0, 0}, 0), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(philox({kOnes, kOnes, kOnes, kOnes}, ~std::uint64_t{0}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(RandomStream, IsAPureFunctionOfItsIndex) {
  const RandomStream one(7, "test");
  const RandomStream same(7, "test");
  EXPECT_EQ(one.bits(5), same.bits(5));
  one.bits(6);
  EXPECT_EQ(one.bits(5), same.bits(5));
}

TEST(RandomBatch, EqualsTheSingleDrawsOfTheStream) {
  const RandomStream stream(9, "test/batch", 4);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{7}, (std::uint64_t{1} << 32) - 3}) {
    for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{1000003}, ~std::uint64_t{0}}) {
      const auto together = random_below(stream, first, bound);
      for (std::size_t i = 0; i < together.size(); ++i) EXPECT_EQ(together[i], stream.below(first + i, bound));
    }
  }
}

TEST(RandomStream, DependsOnSeedPurposeEpochAndIndex) {
  const std::set<std::uint64_t> bits = {
      RandomStream(7, "a").bits(0),    RandomStream(8, "a").bits(0), RandomStream(7, "b").bits(0),
      RandomStream(7, "a", 1).bits(0), RandomStream(7, "a").bits(1), RandomStream(7, "a").bits(std::uint64_t{1} << 32)};
  EXPECT_EQ(bits.size(), 6u);
}

TEST(RandomStream, ShiftsFromOneEpochToAnother) {
  for (const auto& [from, to] : {std::pair{0u, 1u}, std::pair{7u, 7u}, std::pair{600u, 3u}}) {
    const RandomStream there = RandomStream(5, "x", from).shifted(RandomStream::shift_between(from, to));
    EXPECT_EQ(there.words(11), RandomStream(5, "x", to).words(11));
  }
}

TEST(RandomStream, GivesFourWordsPerIndexOfWhichBitsAreTheFirstTwo) {
  const RandomStream stream(7, "words");
  std::set<std::uint32_t> seen;
  for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32}) {
    const auto words = stream.words(index);
    EXPECT_EQ(stream.bits(index), std::uint64_t{words[1]} << 32 | words[0]);
    seen.insert(words.begin(), words.end());
  }
  EXPECT_EQ(seen.size(), 12u);
}

TEST(RandomStream, UniformIsInTheHalfOpenUnitInterval) {
  const RandomStream stream(1, "uniform");
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double value = stream.uniform(i);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(RandomStream, BelowReachesEveryNumberEquallyOften) {
  const RandomStream stream(1, "below");
  std::array<int, 10> counts{};
  for (std::uint64_t i = 0; i < 100000; ++i) ++counts.at(stream.below(i, 10));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(RandomStream, BelowOneIsZero) { EXPECT_EQ(RandomStream(3, "x").below(9, 1), 0u); }

TEST(RandomStream, BelowAHugeBoundKeepsTheUpperBits) {
  const RandomStream stream(1, "huge");
  constexpr std::uint64_t kBound = std::uint64_t{3} << 62;
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_LT(stream.below(i, kBound), kBound);
    largest = std::max(largest, stream.below(i, kBound));
  }
  EXPECT_GT(largest, kBound / 100 * 95);
}

TEST(Rng, GivesTheStreamInOrder) {
  const RandomStream stream(11, "serial", 2);
  Rng rng(11, "serial", 2);
  EXPECT_EQ(rng(), stream.bits(0));
  EXPECT_EQ(rng.below(100), stream.below(1, 100));
  EXPECT_EQ(rng.uniform(), stream.uniform(2));
}

TEST(Rng, ShufflesToAPermutation) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> before = items;
  Rng(1, "shuffle").shuffle(items);
  EXPECT_NE(items, before);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, before);
}

TEST(Rng, ShufflesEveryOrderEquallyOften) {
  std::vector<int> counts(1000, 0);
  Rng rng(1, "orders");
  for (int repeat = 0; repeat < 60000; ++repeat) {
    std::array<int, 3> items = {0, 1, 2};
    rng.shuffle(items);
    ++counts[static_cast<std::size_t>(100 * items[0] + 10 * items[1] + items[2])];
  }
  for (const std::size_t order : {12u, 21u, 102u, 120u, 201u, 210u}) EXPECT_NEAR(counts[order], 10000, 500);
}

TEST(Rng, ShufflesEmptyAndSingleItemRanges) {
  std::vector<int> none;
  std::vector<int> one = {5};
  Rng rng(1, "few");
  rng.shuffle(none);
  rng.shuffle(one);
  EXPECT_THAT(one, ElementsAre(5));
}

}  // namespace
}  // namespace gir
