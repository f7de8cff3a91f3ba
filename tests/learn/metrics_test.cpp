#include "gir/learn/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/random.h"

namespace gir {
namespace {

using Scores = std::vector<float>;
using Classes = std::vector<std::int32_t>;

constexpr double kTolerance = 1e-12;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct ScoredPairs {
  Scores positives;
  Scores negatives;
};

/// Up to 40 scores on either side, with many or few ties, some of them infinite.
ScoredPairs random_scores(std::uint64_t seed) {
  Rng rng(seed, "scores");
  const std::uint64_t values = 1 + rng.below(rng.below(2) == 0 ? 6 : 200);
  const auto draw = [&](std::uint64_t size) {
    Scores scores(size);
    for (float& score : scores) {
      score = 0.25f * static_cast<float>(rng.below(values)) - 1;
      if (rng.below(50) == 0) score = rng.below(2) == 0 ? kInfinity : -kInfinity;
    }
    return scores;
  };
  const std::uint64_t positives = 1 + rng.below(40);
  return {draw(positives), draw(1 + rng.below(40))};
}

void for_many_random_scores(const std::function<void(const ScoredPairs&)>& check) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    check(random_scores(seed));
  }
}

double count(const Scores& scores, const std::function<bool(float)>& condition) {
  return static_cast<double>(std::count_if(scores.begin(), scores.end(), condition));
}

double auc_by_definition(const ScoredPairs& pairs) {
  double won = 0;
  for (const float positive : pairs.positives) {
    for (const float negative : pairs.negatives) won += positive > negative ? 1 : positive == negative ? 0.5 : 0;
  }
  return won / static_cast<double>(pairs.positives.size() * pairs.negatives.size());
}

double average_precision_by_definition(const ScoredPairs& pairs) {
  std::set<float, std::greater<>> thresholds(pairs.positives.begin(), pairs.positives.end());
  thresholds.insert(pairs.negatives.begin(), pairs.negatives.end());
  double sum = 0;
  double last_recall = 0;
  for (const float threshold : thresholds) {
    const auto reaches = [threshold](float score) { return score >= threshold; };
    const double found = count(pairs.positives, reaches);
    const double recall = found / static_cast<double>(pairs.positives.size());
    sum += (recall - last_recall) * found / (found + count(pairs.negatives, reaches));
    last_recall = recall;
  }
  return sum;
}

/// A positive is above the k-th best negative if fewer than k negatives reach its score.
double hits_by_definition(std::int64_t k, const ScoredPairs& pairs) {
  const double hits = count(pairs.positives, [&](float positive) {
    return count(pairs.negatives, [&](float negative) { return negative >= positive; }) < static_cast<double>(k);
  });
  return hits / static_cast<double>(pairs.positives.size());
}

double reciprocal_rank_by_definition(const ScoredPairs& pairs) {
  double sum = 0;
  for (const float positive : pairs.positives) {
    const double best = 1 + count(pairs.negatives, [&](float negative) { return negative > positive; });
    const double worst = best + count(pairs.negatives, [&](float negative) { return negative == positive; });
    sum += 1 / ((best + worst) / 2);
  }
  return sum / static_cast<double>(pairs.positives.size());
}

/// From precision and recall of every class, a different formula than in the implementation.
double macro_f1_by_definition(const Classes& predicted, const Classes& truth) {
  std::set<std::int32_t> classes(predicted.begin(), predicted.end());
  classes.insert(truth.begin(), truth.end());
  double sum = 0;
  for (const std::int32_t c : classes) {
    double hits = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) hits += predicted[i] == c && truth[i] == c ? 1 : 0;
    if (hits == 0) continue;
    const double precision = hits / static_cast<double>(std::count(predicted.begin(), predicted.end(), c));
    const double recall = hits / static_cast<double>(std::count(truth.begin(), truth.end(), c));
    sum += 2 * precision * recall / (precision + recall);
  }
  return sum / static_cast<double>(classes.size());
}

TEST(Accuracy, IsTheShareOfEqualEntries) {
  EXPECT_EQ(accuracy(Classes{0, 1, 2, 2}, Classes{0, 1, 1, 2}), 0.75);
  EXPECT_EQ(accuracy(Classes{3}, Classes{3}), 1);
  EXPECT_EQ(accuracy(Classes{3}, Classes{1}), 0);
}

TEST(Accuracy, IsZeroForEmptyLists) { EXPECT_EQ(accuracy(Classes{}, Classes{}), 0); }

TEST(Accuracy, ListsOfDifferentLengthAreAnInternalError) {
  EXPECT_THROW(accuracy(Classes{1}, Classes{1, 2}), InternalError);
  EXPECT_THROW(macro_f1(Classes{1}, Classes{1, 2}, 3), InternalError);
}

TEST(MacroF1, OfAnExampleByHand) {
  // Class 0: recall 2/3, precision 1: 0.8. Class 1: recall 1/2, precision 1/2: 0.5. Class 2 is predicted once and never
  // true: 0. Class 3 does not occur.
  const Classes truth = {0, 0, 0, 1, 1};
  const Classes predicted = {0, 0, 1, 1, 2};
  EXPECT_NEAR(macro_f1(predicted, truth, 4), (0.8 + 0.5 + 0) / 3, kTolerance);
}

TEST(MacroF1, IgnoresClassesThatDoNotOccur) {
  EXPECT_EQ(macro_f1(Classes{1, 1}, Classes{1, 1}, 2), 1);
  EXPECT_EQ(macro_f1(Classes{1, 1}, Classes{1, 1}, 200), 1);
}

TEST(MacroF1, IsZeroForEmptyLists) {
  EXPECT_EQ(macro_f1(Classes{}, Classes{}, 5), 0);
  EXPECT_EQ(macro_f1(Classes{}, Classes{}, 0), 0);
}

TEST(MacroF1, ClassesOutOfRangeAreAnInternalError) {
  EXPECT_THROW(macro_f1(Classes{2}, Classes{0}, 2), InternalError);
  EXPECT_THROW(macro_f1(Classes{0}, Classes{-1}, 2), InternalError);
}

TEST(MacroF1, AgreesWithItsDefinition) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Rng rng(seed, "classes");
    const std::uint64_t classes = 1 + rng.below(8);
    Classes predicted(1 + rng.below(40));
    Classes truth(predicted.size());
    for (auto& c : predicted) c = static_cast<std::int32_t>(rng.below(classes));
    for (auto& c : truth) c = static_cast<std::int32_t>(rng.below(classes));
    EXPECT_NEAR(macro_f1(predicted, truth, static_cast<std::int64_t>(classes)),
                macro_f1_by_definition(predicted, truth), kTolerance);
  }
}

TEST(RocAuc, OfAnExampleByHand) {
  EXPECT_EQ(roc_auc(Scores{0.35f, 0.8f}, Scores{0.1f, 0.4f}), 0.75);
  EXPECT_EQ(roc_auc(Scores{2, 3}, Scores{0, 1}), 1);
  EXPECT_EQ(roc_auc(Scores{0, 1}, Scores{2, 3}), 0);
}

TEST(RocAuc, TiesCountOneHalf) {
  EXPECT_EQ(roc_auc(Scores{1}, Scores{1}), 0.5);
  EXPECT_EQ(roc_auc(Scores{1, 1}, Scores{1, 0}), 0.75);
  EXPECT_EQ(roc_auc(Scores{0.0f}, Scores{-0.0f}), 0.5);
}

TEST(RocAuc, AgreesWithItsDefinition) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    EXPECT_NEAR(roc_auc(pairs.positives, pairs.negatives), auc_by_definition(pairs), kTolerance);
  });
}

TEST(RocAuc, AddsUpToOneWithPositivesAndNegativesSwapped) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    EXPECT_NEAR(roc_auc(pairs.positives, pairs.negatives) + roc_auc(pairs.negatives, pairs.positives), 1, kTolerance);
  });
}

TEST(RocAuc, CountsMorePairsThanThirtyTwoBitsHold) {
  const Scores positives(100001, 1);
  Scores negatives(100000, 0);
  negatives[7] = 2;
  EXPECT_EQ(roc_auc(positives, negatives), 0.99999);
}

TEST(AveragePrecision, OfAnExampleByHand) {
  // The best score is a positive (1/1), the third best as well (2/3).
  EXPECT_NEAR(average_precision(Scores{0.35f, 0.8f}, Scores{0.1f, 0.4f}), (1 + 2.0 / 3) / 2, kTolerance);
  EXPECT_EQ(average_precision(Scores{2, 3}, Scores{0, 1}), 1);
}

TEST(AveragePrecision, ProcessesTiesTogether) {
  // One threshold: two of four.
  EXPECT_EQ(average_precision(Scores{1, 1}, Scores{1, 1}), 0.5);
  // First two of three, then three of five.
  EXPECT_NEAR(average_precision(Scores{5, 5, 1}, Scores{5, 1}), (2 * (2.0 / 3) + 3.0 / 5) / 3, kTolerance);
}

TEST(AveragePrecision, AgreesWithItsDefinition) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    EXPECT_NEAR(average_precision(pairs.positives, pairs.negatives), average_precision_by_definition(pairs),
                kTolerance);
  });
}

TEST(HitsAt, CountsPositivesStrictlyAboveTheKthBestNegative) {
  const Scores positives = {10, 7, 5, 1};
  const Scores negatives = {9, 7, 5, 5, 2};
  EXPECT_EQ(hits_at(1, positives, negatives), 0.25);
  EXPECT_EQ(hits_at(2, positives, negatives), 0.25);  // 7 is not above 7
  EXPECT_EQ(hits_at(3, positives, negatives), 0.5);
  EXPECT_EQ(hits_at(4, positives, negatives), 0.5);  // tied negatives are ranked individually
  EXPECT_EQ(hits_at(5, positives, negatives), 0.75);
}

TEST(HitsAt, IsUndefinedWithFewerThanKNegatives) {
  EXPECT_TRUE(std::isnan(hits_at(3, Scores{0, 1}, Scores{5, 6})));
  EXPECT_EQ(hits_at(2, Scores{0, 1}, Scores{5, 6}), 0);
}

TEST(HitsAt, AgreesWithItsDefinition) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    for (const std::int64_t k : {1, 2, 3, 10, 20, 50}) {
      const double hits = hits_at(k, pairs.positives, pairs.negatives);
      const bool is_defined = pairs.positives.empty() || std::ssize(pairs.negatives) >= k;
      EXPECT_EQ(std::isnan(hits), !is_defined) << k;
      if (is_defined) {
        EXPECT_EQ(hits, hits_by_definition(k, pairs)) << k;
      }
    }
  });
}

TEST(HitsAt, KBelowOneIsAnInternalError) { EXPECT_THROW(hits_at(0, Scores{1}, Scores{0}), InternalError); }

TEST(MeanReciprocalRank, OfAnExampleByHand) {
  // Ranks 1, 3 and 2.
  EXPECT_NEAR(mean_reciprocal_rank(Scores{9, 1, 5}, Scores{6, 4}), (1 + 1.0 / 3 + 1.0 / 2) / 3, kTolerance);
}

TEST(MeanReciprocalRank, TiesTakeTheMeanOfBestAndWorstRank) {
  EXPECT_NEAR(mean_reciprocal_rank(Scores{1}, Scores{1}), 1 / 1.5, kTolerance);
  EXPECT_NEAR(mean_reciprocal_rank(Scores{1}, Scores{2, 1, 1, 0}), 1.0 / 3, kTolerance);
}

TEST(MeanReciprocalRank, AgreesWithItsDefinition) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    EXPECT_NEAR(mean_reciprocal_rank(pairs.positives, pairs.negatives), reciprocal_rank_by_definition(pairs),
                kTolerance);
  });
}

TEST(RankingMetrics, DefineTheEmptyCases) {
  const Scores none;
  const Scores some = {1, 2};
  EXPECT_EQ(roc_auc(none, some), 0.5);
  EXPECT_EQ(roc_auc(some, none), 0.5);
  EXPECT_EQ(roc_auc(none, none), 0.5);
  EXPECT_EQ(average_precision(none, some), 0);
  EXPECT_EQ(average_precision(some, none), 1);
  EXPECT_EQ(average_precision(none, none), 0);
  EXPECT_EQ(hits_at(1, none, some), 0);
  EXPECT_TRUE(std::isnan(hits_at(1, some, none)));
  EXPECT_EQ(hits_at(1, none, none), 0);
  EXPECT_EQ(mean_reciprocal_rank(none, some), 0);
  EXPECT_EQ(mean_reciprocal_rank(some, none), 1);
  EXPECT_EQ(mean_reciprocal_rank(none, none), 0);
}

TEST(RankingMetrics, NanScoresAreAnInternalError) {
  const Scores bad = {1, kNan};
  const Scores good = {2};
  EXPECT_THROW(roc_auc(bad, good), InternalError);
  EXPECT_THROW(roc_auc(good, bad), InternalError);
  EXPECT_THROW(average_precision(bad, good), InternalError);
  EXPECT_THROW(hits_at(5, good, bad), InternalError);
  EXPECT_THROW(mean_reciprocal_rank(good, bad), InternalError);
}

TEST(RankingMetrics, DependOnTheOrderOfScoresOnly) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    // Shuffled, and transformed by an increasing function.
    Rng rng(pairs.positives.size(), "shuffle");
    ScoredPairs other = pairs;
    rng.shuffle(other.positives);
    rng.shuffle(other.negatives);
    for (float& score : other.positives) score = 8 * score + 3;
    for (float& score : other.negatives) score = 8 * score + 3;
    EXPECT_EQ(roc_auc(pairs.positives, pairs.negatives), roc_auc(other.positives, other.negatives));
    EXPECT_EQ(average_precision(pairs.positives, pairs.negatives), average_precision(other.positives, other.negatives));
    if (std::ssize(pairs.negatives) >= 3) {
      EXPECT_EQ(hits_at(3, pairs.positives, pairs.negatives), hits_at(3, other.positives, other.negatives));
    }
    EXPECT_EQ(mean_reciprocal_rank(pairs.positives, pairs.negatives),
              mean_reciprocal_rank(other.positives, other.negatives));
  });
}

TEST(RankingMetrics, AreFractions) {
  for_many_random_scores([](const ScoredPairs& pairs) {
    for (const double value :
         {roc_auc(pairs.positives, pairs.negatives), average_precision(pairs.positives, pairs.negatives),
          hits_at(1, pairs.positives, pairs.negatives), mean_reciprocal_rank(pairs.positives, pairs.negatives)}) {
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
    }
  });
}

TEST(Complementarity, EqualsAHandComputedExample) {
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::vector<std::int32_t>> predicted = {{0, 0, 0, 1, 1, 1, 0, 0},   // wrong at 3, 6, 7
                                                            {0, 0, 1, 1, 1, 1, 1, 0}};  // wrong at 2, 3, 7
  // Expert 1: F = {3, 6, 7}, T of the other = {0, 1, 4, 5, 6}, both = {6}: 1/3 and 1/5, harmonic mean 2/8.
  // Expert 2: F = {2, 3, 7}, T of the other = {0, 1, 2, 4, 5}, both = {2}: the same.
  const Complementarity ec = complementarity(predicted, truth);
  EXPECT_DOUBLE_EQ(ec.of_experts[0], 0.25);
  EXPECT_DOUBLE_EQ(ec.of_experts[1], 0.25);
  EXPECT_DOUBLE_EQ(ec.overall, 0.25);
}

TEST(Complementarity, CountsAnyOfTheOtherExperts) {
  const std::vector<std::int32_t> truth = {1, 1, 1, 1};
  const std::vector<std::vector<std::int32_t>> predicted = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 1}};
  const Complementarity ec = complementarity(predicted, truth);
  EXPECT_DOUBLE_EQ(ec.of_experts[0], 2.0 * 3 / (4 + 3)) << "F has 4, T of the others 3, all of them corrected";
  EXPECT_DOUBLE_EQ(ec.of_experts[1], 2.0 * 2 / (3 + 2));
  EXPECT_DOUBLE_EQ(ec.of_experts[2], 2.0 * 1 / (2 + 1));
  EXPECT_DOUBLE_EQ(ec.overall, (ec.of_experts[0] + ec.of_experts[1] + ec.of_experts[2]) / 3);
}

TEST(Complementarity, IsZeroForIdenticalExpertsAndEmptySets) {
  const std::vector<std::int32_t> truth = {0, 1, 2};
  const std::vector<std::vector<std::int32_t>> same = {{0, 0, 2}, {0, 0, 2}};
  EXPECT_EQ(complementarity(same, truth).overall, 0);
  const std::vector<std::vector<std::int32_t>> all_right = {{0, 1, 2}, {0, 1, 2}};
  EXPECT_EQ(complementarity(all_right, truth).overall, 0);
  const std::vector<std::vector<std::int32_t>> all_wrong = {{1, 2, 0}, {2, 0, 1}};
  EXPECT_EQ(complementarity(all_wrong, truth).overall, 0);
  const std::vector<std::vector<std::int32_t>> nothing = {{}, {}};
  EXPECT_EQ(complementarity(nothing, {}).overall, 0);
}

TEST(BalancedAccuracy, IsTheMeanRecallOfTheClassesThatOccur) {
  const Classes truth = {0, 0, 0, 0, 1, 1, 3};
  const Classes predicted = {0, 0, 0, 1, 1, 2, 2};
  EXPECT_NEAR(balanced_accuracy(predicted, truth, 5), (3.0 / 4 + 1.0 / 2 + 0) / 3, kTolerance);
  EXPECT_EQ(balanced_accuracy(truth, truth, 5), 1);
  EXPECT_EQ(balanced_accuracy({}, {}, 5), 0);
  EXPECT_THROW(static_cast<void>(balanced_accuracy(Classes{0}, Classes{5}, 5)), InternalError);
}

TEST(MacroMetrics, AreMeansOverTheClassesThatHaveEntriesAndOthers) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed, "classes");
    const std::int64_t classes = 2 + static_cast<std::int64_t>(rng.below(4));
    const std::uint64_t entries = rng.below(30);
    Classes truth(entries);
    for (std::int32_t& each : truth) each = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(classes)));
    Scores scores(entries * static_cast<std::uint64_t>(classes));
    for (float& score : scores) score = static_cast<float>(rng.below(6));
    double auc = 0;
    double precision = 0;
    int defined = 0;
    for (std::int32_t c = 0; c < classes; ++c) {
      ScoredPairs pairs;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        (truth[i] == c ? pairs.positives : pairs.negatives)
            .push_back(scores[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(c)]);
      }
      if (pairs.positives.empty() || pairs.negatives.empty()) continue;
      auc += auc_by_definition(pairs);
      precision += average_precision_by_definition(pairs);
      ++defined;
    }
    const ClassMean mean_auc = macro_auc(scores, truth, classes);
    const ClassMean mean_precision = macro_average_precision(scores, truth, classes);
    EXPECT_EQ(mean_auc.classes, defined);
    EXPECT_EQ(mean_precision.classes, defined);
    if (defined == 0) continue;
    EXPECT_NEAR(mean_auc.value, auc / defined, kTolerance);
    EXPECT_NEAR(mean_precision.value, precision / defined, kTolerance);
  }
}

TEST(MacroMetrics, AreUndefinedWithoutTwoClasses) {
  const Scores scores = {0.2f, 0.8f, 0.7f, 0.3f};
  for (const Classes& truth : {Classes{1, 1}, Classes{0, 0}}) {
    EXPECT_TRUE(std::isnan(macro_auc(scores, truth, 2).value)) << "not 0.5, as if the model guessed";
    EXPECT_TRUE(std::isnan(macro_average_precision(scores, truth, 2).value)) << "not 0, as if all were wrong";
  }
  EXPECT_TRUE(std::isnan(macro_auc({}, {}, 2).value));
}

}  // namespace
}  // namespace gir
