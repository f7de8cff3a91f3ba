#include "gir/trees/random_forest.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "support.h"

namespace gir {
namespace {

using testing::expect_user_error;

struct Classified {
  std::int64_t columns = 2;
  std::vector<float> features = {};
  std::vector<std::int32_t> classes = {};

  FeatureRows rows() const { return {.values = features, .columns = columns}; }
};

/// Points of the unit square; the class says in which of three parts they are: no line separates them.
Classified chequered(std::int64_t count, std::uint64_t seed) {
  Classified points;
  Rng rng(seed, "test/forest");
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = rng.uniform();
    const double y = rng.uniform();
    points.features.insert(points.features.end(), {static_cast<float>(x), static_cast<float>(y)});
    points.classes.push_back(y > 0.7 ? 2 : ((x > 0.5) != (y > 0.35) ? 1 : 0));
  }
  return points;
}

std::vector<float> probabilities_of(const RandomForest& forest, const FeatureRows& rows) {
  std::vector<float> all(static_cast<std::size_t>(rows.rows() * forest.arrays().classes));
  forest.probabilities(rows, all);
  return all;
}

double accuracy_of(const RandomForest& forest, const Classified& points) {
  const auto all = probabilities_of(forest, points.rows());
  double correct = 0;
  for (std::size_t i = 0; i < points.classes.size(); ++i) {
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(3 * i);
    correct += std::max_element(row, row + 3) - row == points.classes[i] ? 1 : 0;
  }
  return correct / static_cast<double>(points.classes.size());
}

TEST(RandomForest, LearnsWhatNoLineSeparates) {
  const Classified train = chequered(600, 1);
  const RandomForest forest = RandomForest::train(train.rows(), train.classes, 3);
  EXPECT_GT(accuracy_of(forest, chequered(600, 2)), 0.9);
}

TEST(RandomForest, GivesProbabilities) {
  const Classified train = chequered(80, 3);
  const auto all = probabilities_of(RandomForest::train(train.rows(), train.classes, 3), chequered(50, 4).rows());
  for (std::size_t i = 0; i < all.size(); i += 3) {
    EXPECT_NEAR(all[i] + all[i + 1] + all[i + 2], 1, 1e-5);
    EXPECT_GE(std::min({all[i], all[i + 1], all[i + 2]}), 0);
  }
}

TEST(RandomForest, OfOneLeafGivesTheSharesOfTheClasses) {
  const Classified train{.columns = 1, .features = {1, 2, 3, 4}, .classes = {0, 2, 2, 2}};
  const RandomForest forest = RandomForest::train(train.rows(), train.classes, 3, {.trees = 2, .leaves = 1});
  EXPECT_THAT(forest.arrays().shares, ::testing::ElementsAre(0.25, 0, 0.75, 0.25, 0, 0.75));
}

TEST(RandomForest, DoesNotSplitEqualRowsOrPureLeaves) {
  const Classified equal{.columns = 1, .features = std::vector<float>(20, 5), .classes = std::vector<std::int32_t>(20)};
  Classified pure = chequered(40, 5);
  std::fill(pure.classes.begin(), pure.classes.end(), 1);
  for (const Classified& each : {equal, pure}) {
    const ForestArrays arrays = RandomForest::train(each.rows(), each.classes, 2, {.trees = 3}).arrays();
    EXPECT_THAT(arrays.features, ::testing::Each(-1));
  }
}

TEST(RandomForest, HasLeavesOfTheSmallestSizeAtLeast) {
  const Classified train = chequered(100, 6);
  const RandomForest forest =
      RandomForest::train(train.rows(), train.classes, 3, {.trees = 1, .min_leaf_rows = 9, .columns = 2});
  // With a single tree, the share of each class of a row is a multiple of 1 / (rows of its leaf).
  const ForestArrays& arrays = forest.arrays();
  std::vector<int> rows_of_leaf(static_cast<std::size_t>(arrays.nodes_per_tree), 0);
  for (std::int64_t row = 0; row < 100; ++row) {
    std::size_t at = 0;
    while (arrays.features[at] >= 0) {
      const bool right = train.rows().row(row)[arrays.features[at]] > arrays.thresholds[at];
      at = static_cast<std::size_t>(arrays.left[at]) + (right ? 1 : 0);
    }
    ++rows_of_leaf[at];
  }
  EXPECT_GT(std::count_if(rows_of_leaf.begin(), rows_of_leaf.end(), [](int rows) { return rows > 0; }), 2);
  for (const int rows : rows_of_leaf) EXPECT_TRUE(rows == 0 || rows >= 9) << rows;
}

TEST(RandomForest, IsTheSameOnAnyNumberOfThreadsAndDependsOnTheSeed) {
  const Classified train = chequered(200, 7);
  const ForestArrays arrays = RandomForest::train(train.rows(), train.classes, 3).arrays();
  {
    const ThreadScope one(1);
    EXPECT_EQ(RandomForest::train(train.rows(), train.classes, 3).arrays(), arrays);
  }
  EXPECT_NE(RandomForest::train(train.rows(), train.classes, 3, {.seed = 1}).arrays(), arrays);
}

TEST(RandomForest, ComesBackFromItsArraysAndRefusesDamagedOnes) {
  const Classified train = chequered(100, 8);
  const RandomForest forest = RandomForest::train(train.rows(), train.classes, 3);
  EXPECT_EQ(probabilities_of(RandomForest(forest.arrays()), train.rows()), probabilities_of(forest, train.rows()));
  const auto refuses = [&](auto damage) {
    ForestArrays arrays = forest.arrays();
    damage(arrays);
    expect_user_error([&] { RandomForest{arrays}; }, "not those of a forest", "train the model again");
  };
  refuses([](ForestArrays& arrays) { arrays.left[0] = 0; });  // a circle
  refuses([](ForestArrays& arrays) { arrays.left[0] = static_cast<std::int32_t>(arrays.nodes_per_tree) - 1; });
  refuses([](ForestArrays& arrays) { arrays.features[0] = 2; });
  refuses([](ForestArrays& arrays) { arrays.features[0] = -2; });
  refuses([](ForestArrays& arrays) { arrays.shares.pop_back(); });
}

}  // namespace
}  // namespace gir
