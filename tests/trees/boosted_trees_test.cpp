#include "gir/trees/boosted_trees.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "trees/examples.h"
#include "trees/naive_training.h"

namespace gir {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Number of rows in every leaf of a tree that has any.
std::map<std::int64_t, std::int64_t> leaf_sizes(const TreeArrays& arrays, std::int64_t tree, const FeatureRows& rows) {
  std::map<std::int64_t, std::int64_t> sizes;
  for (std::int64_t i = 0; i < rows.rows(); ++i) ++sizes[leaf_of(arrays, tree, rows.row(i))];
  return sizes;
}

std::set<std::int32_t> features_of(const TreeArrays& arrays, std::int64_t tree) {
  const auto begin = arrays.features.begin() + tree * arrays.nodes_per_tree;
  std::set<std::int32_t> features(begin, begin + arrays.nodes_per_tree);
  features.erase(-1);
  return features;
}

TEST(BoostedTrees, StartAtTheLogOddsOfTheWeightedMean) {
  Examples examples{.features = {1, 2, 3}, .targets = {1, 0, 0}};
  EXPECT_DOUBLE_EQ(train(examples, {.trees = 0}).arrays().base_score, std::log(0.5));
  examples.weights = {3, 0.5, 1};
  const BoostedTrees trees = train(examples, {.trees = 0});
  EXPECT_DOUBLE_EQ(trees.arrays().base_score, std::log(2.0));
  EXPECT_THAT(scores_of(trees, examples.rows()), ::testing::Each(std::log(2.0F)));
}

TEST(BoostedTrees, SplitAStepWhereItIs) {
  Examples examples{.columns = 2};
  for (int i = 0; i < 100; ++i) examples.add({static_cast<float>(i % 7), static_cast<float>(i)}, i >= 37 ? 1 : 0);
  const TreeArrays arrays = train(examples, {.trees = 1, .leaves = 2}).arrays();
  EXPECT_THAT(arrays.features, ElementsAre(1, -1, -1));
  EXPECT_EQ(arrays.thresholds[0], 36.5);
  EXPECT_THAT(arrays.left, ElementsAre(1, 0, 0));
  EXPECT_THAT(arrays.right, ElementsAre(2, 0, 0));
  EXPECT_LT(arrays.values[1], 0);
  EXPECT_GT(arrays.values[2], 0);
}

TEST(BoostedTrees, HaveLeavesThatAreNewtonSteps) {
  // Both classes weigh 3, so that the first tree begins at probabilities of 1/2. Sums of the first derivatives: on the
  // left 1/2 + 1/2 - 1/2, on the right -1 + 1/2; of the second ones: 3/4 on both sides.
  const Examples examples{.features = {0, 0, 0, 1, 1}, .targets = {0, 0, 1, 1, 0}, .weights = {1, 1, 1, 2, 1}};
  const BoostedTreesOptions options{.trees = 2, .learning_rate = 0.1, .leaves = 2, .min_leaf_rows = 1, .l2 = 0.25};
  const TreeArrays arrays = train(examples, options).arrays();
  EXPECT_EQ(arrays.base_score, 0);
  EXPECT_FLOAT_EQ(arrays.values[1], -0.1F * 0.5F / (0.75F + 0.25F));
  EXPECT_FLOAT_EQ(arrays.values[2], 0.1F * 0.5F / (0.75F + 0.25F));
  // The second tree begins at scores of -0.05 and 0.05.
  const double p = 1 / (1 + std::exp(0.05));
  const double step = 0.1 * (3 * p - 1) / (3 * p * (1 - p) + 0.25);
  EXPECT_NEAR(arrays.values[4], -step, 1e-7);
  EXPECT_NEAR(arrays.values[5], step, 1e-7);
}

TEST(BoostedTrees, EqualThoseOfANaiveSearch) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Examples examples = random_examples(seed, 80, 5, 12);
    Rng random(seed, "weights");
    // Random weights: no two different splits have the same gain.
    for (std::size_t i = 0; i < examples.targets.size(); ++i) {
      examples.weights.push_back(static_cast<float>(0.5 + random.uniform()));
    }
    const BoostedTreesOptions options{.trees = 4,
                                      .learning_rate = 0.3,
                                      .leaves = 2 + static_cast<std::int64_t>(seed % 5),
                                      .min_leaf_rows = 1 + static_cast<std::int64_t>(seed % 7),
                                      .l2 = 0.5 + 0.1 * static_cast<double>(seed)};
    const auto scores = scores_of(train(examples, options), examples.rows());
    const NaiveTraining naive(examples, options);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      ASSERT_NEAR(scores[i], naive.scores()[i], 1e-5) << "seed " << seed << ", row " << i;
    }
  }
}

TEST(BoostedTrees, NeedMoreThanStumpsToLearnXor) {
  Examples examples{.columns = 2};
  examples.add({0, 0}, 0, 40);
  examples.add({0, 1}, 1, 20);
  examples.add({1, 0}, 1, 30);
  examples.add({1, 1}, 0, 30);
  const FeatureRows corners{.values = std::span(examples.features), .columns = 2};
  const auto wrong = [&](std::int64_t leaves) {
    const auto scores = scores_of(train(examples, {.learning_rate = 0.3, .leaves = leaves}), corners);
    int count = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      // A right score is also a sure one: a probability of at least 0.95.
      if (scores[i] * (examples.targets[i] == 1 ? 1 : -1) < std::log(0.95 / 0.05)) ++count;
    }
    return count;
  };
  EXPECT_GE(wrong(2), 20) << "sums of functions of one feature get at least one corner wrong";
  EXPECT_EQ(wrong(4), 0);
}

TEST(BoostedTrees, PreferTheLowerFeatureOfEqualGains) {
  Examples examples{.columns = 7};
  for (int i = 0; i < 60; ++i) {
    const auto x = static_cast<float>(i);
    examples.add({0, static_cast<float>(i % 5), x, x, 2 * x, x, x}, i >= 30 ? 1 : 0);
  }
  EXPECT_EQ(train(examples, {.trees = 1, .leaves = 2}).arrays().features[0], 2);
}

TEST(BoostedTrees, PreferTheLowerThresholdOfEqualGains) {
  Examples examples;
  examples.add({0}, 0, 8);
  examples.add({1}, 1, 16);
  examples.add({2}, 0, 8);
  const TreeArrays arrays = train(examples, {.trees = 1, .leaves = 2, .min_leaf_rows = 8}).arrays();
  EXPECT_EQ(arrays.features[0], 0);
  EXPECT_EQ(arrays.thresholds[0], 0.5) << "0.5 and 1.5 cut off eight rows of class 0 each";
}

TEST(BoostedTrees, CutRightAboveARow) {
  const Examples examples = random_examples(9, 500, 4, 100);  // whole numbers, a bin for each
  const TreeArrays arrays = train(examples, {.trees = 10, .learning_rate = 0.3, .min_leaf_rows = 3}).arrays();
  for (std::int64_t tree = 0; tree < arrays.trees; ++tree) {
    std::map<std::int64_t, std::set<float>> values;  // per node, of the feature that it compares
    for (std::int64_t i = 0; i < examples.rows().rows(); ++i) {
      const float* row = examples.rows().row(i);
      for (const std::int64_t node : path_of(arrays, tree, row)) {
        const std::int32_t feature = arrays.features[static_cast<std::size_t>(tree * arrays.nodes_per_tree + node)];
        if (feature >= 0) values[node].insert(row[feature]);
      }
    }
    EXPECT_EQ(values.size(), 14u);
    for (const auto& [node, present] : values) {
      const float threshold = arrays.thresholds[static_cast<std::size_t>(tree * arrays.nodes_per_tree + node)];
      EXPECT_TRUE(present.contains(threshold - 0.5F)) << "a lower threshold separates the same rows";
    }
  }
}

TEST(BoostedTrees, DependOnlyOnTheOrderOfValues) {
  for (const std::uint64_t distinct : {20, 2000}) {  // fewer and more than bins
    const Examples examples = random_examples(1, 1500, 4, distinct);
    Examples transformed = examples;
    for (float& value : transformed.features) value = value * value * value - 1e6F;
    const BoostedTreesOptions options{.trees = 20, .bins = 50};
    const BoostedTrees trees = train(examples, options);
    const BoostedTrees others = train(transformed, options);
    EXPECT_EQ(trees.arrays().features, others.arrays().features);
    EXPECT_EQ(trees.arrays().values, others.arrays().values);
    EXPECT_NE(trees.arrays().thresholds, others.arrays().thresholds);
    EXPECT_EQ(scores_of(trees, examples.rows()), scores_of(others, transformed.rows()));
  }
}

TEST(BoostedTrees, TreatAWeightAsRepeatedRows) {
  Examples weighted = random_examples(2, 300, 4, 30);
  Examples repeated{.columns = 4};
  for (std::int64_t i = 0; i < weighted.rows().rows(); ++i) {
    const float* row = weighted.rows().row(i);
    const auto times = static_cast<int>(i % 4);  // a weight of 0 is a row that is not there
    weighted.weights.push_back(static_cast<float>(times));
    repeated.add({row, row + 4}, weighted.targets[static_cast<std::size_t>(i)], times);
  }
  const BoostedTreesOptions options{.trees = 10, .learning_rate = 0.3, .leaves = 6, .min_leaf_rows = 1};
  const auto scores = scores_of(train(weighted, options), weighted.rows());
  const auto expected = scores_of(train(repeated, options), weighted.rows());
  weighted.weights.clear();
  const auto unweighted = scores_of(train(weighted, options), weighted.rows());
  double difference = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ASSERT_NEAR(scores[i], expected[i], 1e-4) << "row " << i;
    difference = std::max<double>(difference, std::abs(scores[i] - unweighted[i]));
  }
  EXPECT_GT(difference, 0.1) << "weights matter";
}

TEST(BoostedTrees, AreTheSameOnAnyNumberOfThreads) {
  // Of every column its mirror image, too: the gains of both differ only by rounding, which thus decides.
  const Examples half = random_examples(3, 40'000, 5, 1000);
  Examples examples{.columns = 10, .targets = half.targets};
  for (std::int64_t i = 0; i < half.rows().rows(); ++i) {
    const float* row = half.rows().row(i);
    examples.features.insert(examples.features.end(), row, row + 5);
    for (int column = 0; column < 5; ++column) examples.features.push_back(-row[column]);
  }
  const auto on = [&](int threads) {
    const ThreadScope scope(threads);
    const BoostedTrees trees = train(examples, {.trees = 4, .column_share = 0.8, .row_share = 0.9});
    return std::pair(trees.arrays(), scores_of(trees, examples.rows()));
  };
  const auto expected = on(1);
  EXPECT_FALSE(features_of(expected.first, 3).empty());
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(on(threads) == expected) << threads << " threads";
}

TEST(BoostedTrees, SplitInfiniteFeatures) {
  Examples examples;
  examples.add({-kInfinity}, 0, 10);
  examples.add({5}, 1, 10);
  examples.add({kInfinity}, 0, 10);
  const auto scores = scores_of(train(examples, {.trees = 50, .min_leaf_rows = 5}), examples.rows());
  EXPECT_LT(scores[0], -1);
  EXPECT_GT(scores[10], 1);
  EXPECT_LT(scores[20], -1);
}

TEST(BoostedTrees, RefuseFeaturesThatAreNotNumbers) {
  Examples examples = random_examples(4, 100, 3, 10);
  const BoostedTrees trees = train(examples, {.trees = 1});
  examples.features.back() = kNaN;
  EXPECT_THROW(train(examples, {.trees = 1}), InternalError);
  EXPECT_THROW(scores_of(trees, examples.rows()), InternalError);
}

TEST(BoostedTrees, RefuseExamplesThatDoNotFitTogether) {
  const BoostedTreesOptions options{.trees = 1};
  const Examples good{.features = {1, 2, 3}, .targets = {1, 0, 1}, .weights = {1, 2, 0}};
  EXPECT_NO_THROW(train(good, options));
  const auto refused = [&](const auto& damage) {
    Examples examples = good;
    damage(examples);
    EXPECT_THROW(train(examples, options), InternalError);
  };
  refused([](Examples& examples) { examples.columns = 0; });
  refused([](Examples& examples) { examples.columns = 2; });
  refused([](Examples& examples) { examples.targets.pop_back(); });
  refused([](Examples& examples) { examples.targets[0] = 0.5; });
  refused([](Examples& examples) { examples.targets = {0, 0, 0}; });
  refused([](Examples& examples) { examples.weights.pop_back(); });
  refused([](Examples& examples) { examples.weights[2] = -1; });
  refused([](Examples& examples) { examples.weights[2] = kInfinity; });
  refused([](Examples& examples) { examples.weights = {1, 0, 1}; });
  const BoostedTrees trees = train(good, options);
  std::vector<float> two(2);
  EXPECT_THROW(trees.score(good.rows(), two), InternalError);
  EXPECT_THROW(trees.score({.values = std::span(good.features).first(2), .columns = 2}, std::span(two).first(1)),
               InternalError);
}

TEST(BoostedTrees, RefuseOptionsWithoutMeaning) {
  const Examples examples{.features = {1, 2, 3}, .targets = {1, 0, 1}};
  const std::vector<BoostedTreesOptions> wrong = {
      {.trees = -1},       {.learning_rate = 0}, {.learning_rate = static_cast<double>(kInfinity)},
      {.leaves = 0},       {.leaves = 65'537},   {.min_leaf_rows = 0},
      {.l2 = -1},          {.bins = 1},          {.bins = 256},
      {.column_share = 0}, {.row_share = 1.1},   {.row_share = static_cast<double>(kNaN)},
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_THROW(train(examples, wrong[i]), InternalError) << "options " << i;
  }
}

TEST(BoostedTrees, RespectTheSizesOfLeavesAndTrees) {
  const Examples examples = random_examples(5, 500, 4, 100);
  const std::int64_t trees = 10;
  const auto smallest_leaf = [&](std::int64_t rows) {
    const TreeArrays arrays = train(examples, {.trees = trees, .leaves = 8, .min_leaf_rows = rows}).arrays();
    std::int64_t smallest = examples.rows().rows();
    for (std::int64_t tree = 0; tree < trees; ++tree) {
      const auto sizes = leaf_sizes(arrays, tree, examples.rows());
      EXPECT_GE(sizes.size(), 2u);
      EXPECT_LE(sizes.size(), 8u);
      for (const auto& [leaf, size] : sizes) smallest = std::min(smallest, size);
    }
    return smallest;
  };
  EXPECT_GE(smallest_leaf(40), 40);
  EXPECT_LT(smallest_leaf(1), 40);
  const TreeArrays arrays = train(examples, {.trees = 1, .leaves = 8, .min_leaf_rows = 1}).arrays();
  EXPECT_EQ(leaf_sizes(arrays, 0, examples.rows()).size(), 8u);
}

TEST(BoostedTrees, AddNothingWithoutASplit) {
  Examples constant;
  constant.add({7}, 1, 50);
  constant.add({7}, 0, 100);
  Examples small;
  small.add({0}, 0, 19);
  small.add({1}, 1, 19);
  for (const Examples* examples : {&constant, &small}) {
    const TreeArrays arrays = train(*examples, {.trees = 3, .l2 = 0}).arrays();
    EXPECT_THAT(features_of(arrays, 0), IsEmpty());
    EXPECT_THAT(arrays.values, ::testing::Each(0));
  }
  const TreeArrays leaves = train(small, {.trees = 3, .leaves = 1, .min_leaf_rows = 1}).arrays();
  EXPECT_THAT(leaves.features, ElementsAre(-1, -1, -1));
  EXPECT_THAT(leaves.values, ElementsAre(0, 0, 0));
}

TEST(BoostedTrees, CutOffNoRowsOfHardlyAnySecondDerivative) {
  const auto splits = [](float light_at, float weight) {
    Examples examples;
    examples.add({light_at}, 0, 50);
    examples.weights.assign(50, weight);
    examples.add({1}, 0, 50);
    examples.add({1}, 1, 50);
    examples.weights.resize(150, 1);
    return !features_of(train(examples, {.trees = 1, .l2 = 0}).arrays(), 0).empty();
  };
  for (const float light_at : {0.0F, 2.0F}) {
    EXPECT_FALSE(splits(light_at, 5e-5F)) << "their second derivatives add up to 0.0006";
    EXPECT_TRUE(splits(light_at, 2e-4F)) << "to 0.0025";
  }
}

TEST(BoostedTrees, DrawTheirShareOfTheColumns) {
  Examples examples{.columns = 8};
  for (int i = 0; i < 200; ++i) examples.add(std::vector<float>(8, static_cast<float>(i)), i % 50 < 20 ? 1 : 0);
  const TreeArrays arrays = train(examples, {.trees = 30, .column_share = 0.25}).arrays();
  std::set<std::int32_t> all;
  for (std::int64_t tree = 0; tree < 30; ++tree) {
    const auto features = features_of(arrays, tree);
    EXPECT_EQ(features.size(), 1u) << "of two equal columns, the lower one";
    all.insert(features.begin(), features.end());
  }
  EXPECT_THAT(all, ElementsAre(0, 1, 2, 3, 4, 5, 6)) << "the highest one is never the lower one";
}

TEST(BoostedTrees, DrawTheirShareOfTheRows) {
  Examples examples;
  for (int i = 0; i < 40; ++i) examples.add({static_cast<float>(i)}, i >= 20 ? 1 : 0);
  const auto cuts = [&](std::int64_t min_leaf_rows) {
    const BoostedTreesOptions options{.trees = 20, .min_leaf_rows = min_leaf_rows, .row_share = 0.5};
    const TreeArrays arrays = train(examples, options).arrays();
    std::set<float> thresholds;
    for (std::int64_t tree = 0; tree < 20; ++tree) {
      const auto root = static_cast<std::size_t>(tree * arrays.nodes_per_tree);
      if (arrays.features[root] == 0) thresholds.insert(arrays.thresholds[root]);
    }
    return thresholds;
  };
  EXPECT_GE(cuts(10).size(), 4u) << "the median of the rows that were drawn, others for every tree";
  EXPECT_THAT(cuts(11), IsEmpty()) << "20 rows are no two leaves of 11";
}

TEST(BoostedTrees, DrawBySeed) {
  const Examples examples = random_examples(6, 400, 5, 50);
  const auto of_shares = [&](double columns, double rows, std::uint64_t seed) {
    return train(examples, {.trees = 5, .column_share = columns, .row_share = rows, .seed = seed}).arrays();
  };
  EXPECT_EQ(of_shares(0.5, 0.5, 1), of_shares(0.5, 0.5, 1));
  EXPECT_NE(of_shares(1, 0.5, 1), of_shares(1, 0.5, 2));
  EXPECT_NE(of_shares(0.5, 1, 1), of_shares(0.5, 1, 2));
  EXPECT_EQ(of_shares(1, 1, 1), of_shares(1, 1, 2)) << "nothing is drawn";
}

TEST(BoostedTrees, FindAStepAmongMoreRowsThanTheBinsAreMadeOf) {
  Examples examples;
  for (int i = 0; i < 220'000; ++i) examples.add({static_cast<float>(i)}, i >= 110'000 ? 1 : 0);
  const TreeArrays arrays = train(examples, {.trees = 1, .leaves = 2}).arrays();
  EXPECT_NEAR(arrays.thresholds[0], 110'000, 220'000 / 255);
}

}  // namespace
}  // namespace gir
