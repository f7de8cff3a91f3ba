#include "gir/learn/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

std::vector<float> sorted_descending(std::span<const float> scores) {
  std::vector<float> sorted(scores.begin(), scores.end());
  ensure(std::none_of(sorted.begin(), sorted.end(), [](float score) { return std::isnan(score); }),
         "scores must not be NaN");
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted;
}

/// Calls `visit(positives, negatives)` for every distinct score in descending order, with the number of positives and
/// negatives that have this score.
template <typename Visit>
void for_each_score(std::span<const float> positives, std::span<const float> negatives, const Visit& visit) {
  const std::vector<float> above = sorted_descending(positives);
  const std::vector<float> below = sorted_descending(negatives);
  auto positive = above.begin();
  auto negative = below.begin();
  while (positive != above.end() || negative != below.end()) {
    const bool is_positive = negative == below.end() || (positive != above.end() && *positive >= *negative);
    const float score = is_positive ? *positive : *negative;
    const auto differs = [score](float other) { return other != score; };
    const auto next_positive = std::find_if(positive, above.end(), differs);
    const auto next_negative = std::find_if(negative, below.end(), differs);
    visit(std::int64_t{next_positive - positive}, std::int64_t{next_negative - negative});
    positive = next_positive;
    negative = next_negative;
  }
}

/// Number of entries of each class.
std::vector<std::int64_t> class_sizes(std::span<const std::int32_t> truth, std::int64_t num_classes) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(num_classes), 0);
  for (const std::int32_t each : truth) {
    ensure(each >= 0 && each < num_classes, "a class is out of range");
    ++sizes[static_cast<std::size_t>(each)];
  }
  return sizes;
}

using RankingMetric = double (*)(std::span<const float> positives, std::span<const float> negatives);

/// The mean over classes of a metric of one class against the rest.
ClassMean one_vs_rest(RankingMetric metric, std::span<const float> scores, std::span<const std::int32_t> truth,
                      std::int64_t num_classes) {
  ensure(scores.size() == truth.size() * static_cast<std::size_t>(num_classes), "one score per entry and class");
  const std::vector<std::int64_t> sizes = class_sizes(truth, num_classes);
  std::vector<std::int32_t> ranked;
  for (std::int32_t c = 0; c < num_classes; ++c) {
    const std::int64_t size = sizes[static_cast<std::size_t>(c)];
    if (size > 0 && size < std::ssize(truth)) ranked.push_back(c);
  }
  std::vector<double> values(ranked.size());
  parallel_blocks(std::ssize(ranked), [&](std::int64_t block) {
    const std::int32_t c = ranked[static_cast<std::size_t>(block)];
    std::vector<float> positives;
    std::vector<float> negatives;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const float score = scores[i * static_cast<std::size_t>(num_classes) + static_cast<std::size_t>(c)];
      (truth[i] == c ? positives : negatives).push_back(score);
    }
    values[static_cast<std::size_t>(block)] = metric(positives, negatives);
  });
  if (values.empty()) return {};
  return {.value = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
          .classes = std::ssize(values)};
}

}  // namespace

double accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth) {
  ensure(predicted.size() == truth.size(), "as many predictions as true classes");
  if (truth.empty()) return 0;
  std::int64_t equal = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) equal += predicted[i] == truth[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(truth.size());
}

double macro_f1(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                std::int64_t num_classes) {
  ensure(predicted.size() == truth.size(), "as many predictions as true classes");
  std::vector<std::int64_t> hits(static_cast<std::size_t>(num_classes), 0);
  std::vector<std::int64_t> occurrences(static_cast<std::size_t>(num_classes), 0);  // 2 TP + FP + FN
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ensure(truth[i] >= 0 && truth[i] < num_classes && predicted[i] >= 0 && predicted[i] < num_classes,
           "a class is out of range");
    ++occurrences[static_cast<std::size_t>(truth[i])];
    ++occurrences[static_cast<std::size_t>(predicted[i])];
    if (truth[i] == predicted[i]) ++hits[static_cast<std::size_t>(truth[i])];
  }
  double sum = 0;
  std::int64_t classes = 0;
  for (std::size_t c = 0; c < hits.size(); ++c) {
    if (occurrences[c] == 0) continue;
    sum += 2 * static_cast<double>(hits[c]) / static_cast<double>(occurrences[c]);
    ++classes;
  }
  return classes == 0 ? 0 : sum / static_cast<double>(classes);
}

double balanced_accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                         std::int64_t num_classes) {
  ensure(predicted.size() == truth.size(), "as many predictions as true classes");
  const std::vector<std::int64_t> sizes = class_sizes(truth, num_classes);
  std::vector<std::int64_t> hits(sizes.size(), 0);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (predicted[i] == truth[i]) ++hits[static_cast<std::size_t>(truth[i])];
  }
  double sum = 0;
  std::int64_t classes = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] == 0) continue;
    sum += static_cast<double>(hits[c]) / static_cast<double>(sizes[c]);
    ++classes;
  }
  return classes == 0 ? 0 : sum / static_cast<double>(classes);
}

double roc_auc(std::span<const float> positives, std::span<const float> negatives) {
  std::int64_t negatives_left = std::ssize(negatives);
  std::int64_t twice_concordant = 0;
  for_each_score(positives, negatives, [&](std::int64_t equal_positives, std::int64_t equal_negatives) {
    negatives_left -= equal_negatives;
    twice_concordant += equal_positives * (2 * negatives_left + equal_negatives);
  });
  if (positives.empty() || negatives.empty()) return 0.5;
  return static_cast<double>(twice_concordant) / static_cast<double>(2 * std::ssize(positives) * std::ssize(negatives));
}

double average_precision(std::span<const float> positives, std::span<const float> negatives) {
  std::int64_t true_positives = 0;
  std::int64_t false_positives = 0;
  double sum = 0;
  for_each_score(positives, negatives, [&](std::int64_t equal_positives, std::int64_t equal_negatives) {
    true_positives += equal_positives;
    false_positives += equal_negatives;
    const double precision =
        static_cast<double>(true_positives) / static_cast<double>(true_positives + false_positives);
    sum += static_cast<double>(equal_positives) * precision;
  });
  return positives.empty() ? 0 : sum / static_cast<double>(positives.size());
}

ClassMean macro_auc(std::span<const float> scores, std::span<const std::int32_t> truth, std::int64_t num_classes) {
  return one_vs_rest(roc_auc, scores, truth, num_classes);
}

ClassMean macro_average_precision(std::span<const float> scores, std::span<const std::int32_t> truth,
                                  std::int64_t num_classes) {
  return one_vs_rest(average_precision, scores, truth, num_classes);
}

double hits_at(std::int64_t k, std::span<const float> positives, std::span<const float> negatives) {
  ensure(k >= 1, "hits at k needs k >= 1");
  std::int64_t negatives_seen = 0;
  std::int64_t hits = 0;
  for_each_score(positives, negatives, [&](std::int64_t equal_positives, std::int64_t equal_negatives) {
    negatives_seen += equal_negatives;
    if (negatives_seen < k) hits += equal_positives;
  });
  if (positives.empty()) return 0;
  if (std::ssize(negatives) < k) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(hits) / static_cast<double>(positives.size());
}

double mean_reciprocal_rank(std::span<const float> positives, std::span<const float> negatives) {
  std::int64_t better = 0;
  double sum = 0;
  for_each_score(positives, negatives, [&](std::int64_t equal_positives, std::int64_t equal_negatives) {
    const double rank = 1 + static_cast<double>(better) + static_cast<double>(equal_negatives) / 2;
    sum += static_cast<double>(equal_positives) / rank;
    better += equal_negatives;
  });
  return positives.empty() ? 0 : sum / static_cast<double>(positives.size());
}

Complementarity complementarity(std::span<const std::vector<std::int32_t>> predicted,
                                std::span<const std::int32_t> truth) {
  Complementarity result;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    ensure(predicted[i].size() == truth.size(), "one prediction of every expert per entry");
    std::int64_t wrong = 0;         // F_i
    std::int64_t others_right = 0;  // T_~i
    std::int64_t corrected = 0;     // both
    for (std::size_t entry = 0; entry < truth.size(); ++entry) {
      bool other_right = false;
      for (std::size_t j = 0; j < predicted.size(); ++j) {
        other_right = other_right || (j != i && predicted[j][entry] == truth[entry]);
      }
      const bool is_wrong = predicted[i][entry] != truth[entry];
      wrong += is_wrong ? 1 : 0;
      others_right += other_right ? 1 : 0;
      corrected += is_wrong && other_right ? 1 : 0;
    }
    // The harmonic mean of c / w and c / r is 2 c / (w + r), and 0 where c is.
    const auto sets = static_cast<double>(wrong + others_right);
    result.of_experts.push_back(corrected == 0 ? 0 : 2 * static_cast<double>(corrected) / sets);
    result.overall += result.of_experts.back() / static_cast<double>(predicted.size());
  }
  return result;
}

}  // namespace gir
