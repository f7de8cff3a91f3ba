#include "gir/core/array.h"

#include <gmock/gmock.h>

#include <numeric>
#include <utility>

namespace gir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Array, HasTheRequestedSize) {
  Array<int> array(1000);
  EXPECT_EQ(array.size(), 1000);
  std::iota(array.begin(), array.end(), 0);
  EXPECT_EQ(array[999], 999);
}

TEST(Array, IsEmptyWithoutASize) {
  const Array<int> array;
  EXPECT_TRUE(array.empty());
  EXPECT_THAT(array.span(), IsEmpty());
}

TEST(Array, IsFilledWithAValue) { EXPECT_THAT(Array<int>(3, 7), ElementsAre(7, 7, 7)); }

TEST(Array, HoldsAListOfValues) { EXPECT_THAT((Array<int>{4, 5}), ElementsAre(4, 5)); }

TEST(Array, CopiesASpan) {
  int values[] = {1, 2, 3};
  const Array<int> array{std::span<const int>(values)};
  values[0] = 9;
  EXPECT_THAT(array, ElementsAre(1, 2, 3));
}

TEST(Array, IsEmptyAfterItWasMovedFrom) {
  Array<int> from{1, 2};
  const Array<int> to(std::move(from));
  EXPECT_THAT(to, ElementsAre(1, 2));
  EXPECT_TRUE(from.empty());
}

TEST(Array, TakesOverAnotherByAssignment) {
  Array<int> array{1, 2};
  array = Array<int>{3};
  EXPECT_THAT(array, ElementsAre(3));
}

TEST(Array, CloneIsIndependentOfTheOriginal) {
  Array<int> array{1, 2};
  const Array<int> copy = array.clone();
  array[0] = 9;
  EXPECT_THAT(copy, ElementsAre(1, 2));
}

TEST(Array, ShrinkingKeepsTheFirstValues) {
  Array<int> array{1, 2, 3, 4};
  array.shrink(2);
  EXPECT_THAT(array, ElementsAre(1, 2));
}

TEST(Array, ShrinkingALargeArrayKeepsTheFirstValues) {
  Array<std::int64_t> array(1 << 20);
  std::iota(array.begin(), array.end(), 0);
  array.shrink(1 << 10);
  EXPECT_EQ(array.size(), 1 << 10);
  EXPECT_EQ(array[1023], 1023);
}

TEST(Array, ShrinksToNothing) {
  Array<int> array{1, 2};
  array.shrink(0);
  EXPECT_TRUE(array.empty());
}

}  // namespace
}  // namespace gir
