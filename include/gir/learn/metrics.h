#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gir/core/export.h"

namespace gir {

// All metrics are fractions in [0, 1], larger is better. NaN scores are a bug of the caller (InternalError).

/// Share of equal entries; 0 for empty lists. O(n).
GIR_API double accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth);

/// Mean over classes of F1 = 2 TP / (2 TP + FP + FN). Classes are 0 .. num_classes - 1. Classes that occur neither in
/// `predicted` nor in `truth` are ignored, as in scikit-learn: a split need not contain all of them. 0 for empty lists.
/// O(n + num_classes).
GIR_API double macro_f1(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                        std::int64_t num_classes);

/// Mean over the classes that occur in `truth` of the share of their entries that are predicted (recall), so that a
/// rare class counts as much as a frequent one. 0 for empty lists. O(n + num_classes).
GIR_API double balanced_accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                                 std::int64_t num_classes);

/// Area under the ROC curve: the probability that a positive scores above a negative, where ties count one half.
/// Counted in integers, so it is exact except for the final division. 0.5, the value of random scores, if either list
/// is empty. O(n log n).
GIR_API double roc_auc(std::span<const float> positives, std::span<const float> negatives);

/// Sum over thresholds of precision times increase of recall. Thresholds are the distinct scores, so that tied scores
/// are processed together whatever their order, as in scikit-learn. 0 without positives, 1 without negatives. O(n log
/// n).
GIR_API double average_precision(std::span<const float> positives, std::span<const float> negatives);

/// A mean over those classes for which a metric is defined.
struct GIR_API ClassMean {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< NaN if there are none
  std::int64_t classes = 0;
};

/// One-vs-rest ROC AUC: the mean of roc_auc() over classes, where the entries of a class are the positives and all
/// others the negatives. `scores`, float [truth, num_classes], has a row per entry; the scores of a class must be
/// comparable between entries, such as log-probabilities. It is not defined for classes without entries, and for a
/// class that has all of them. O(num_classes n log n), in parallel over classes.
GIR_API ClassMean macro_auc(std::span<const float> scores, std::span<const std::int32_t> truth,
                            std::int64_t num_classes);

/// The same mean of average_precision(), over the same classes.
GIR_API ClassMean macro_average_precision(std::span<const float> scores, std::span<const std::int32_t> truth,
                                          std::int64_t num_classes);

/// Share of positives that score strictly above the k-th best negative (tied negatives are ranked individually), as
/// defined by the Open Graph Benchmark. 0 without positives, else NaN with fewer than k negatives, where
/// it would be 1 for any scores. O(n log n).
GIR_API double hits_at(std::int64_t k, std::span<const float> positives, std::span<const float> negatives);

/// Mean of 1 / rank, where the rank of a positive is its position among all negatives, starting at 1. Ties take the
/// mean of the best and the worst rank: 1 + better negatives + equal negatives / 2. 0 without positives. O(n log n).
GIR_API double mean_reciprocal_rank(std::span<const float> positives, std::span<const float> negatives);

/// Expert complementarity (EC) of the paper: to what extent experts correct the errors of each other.
struct GIR_API Complementarity {
  double overall = 0;              ///< EC: the mean over experts
  std::vector<double> of_experts;  ///< EC_i: harmonic mean of |F_i and T_~i| / |F_i| and |F_i and T_~i| / |T_~i|
};

/// F_i are the entries that expert i misclassifies, T_~i those that at least one of the other experts classifies
/// correctly; shares of empty sets are 0. `predicted` has one list per expert, each as long as `truth`. O(experts^2 n).
GIR_API Complementarity complementarity(std::span<const std::vector<std::int32_t>> predicted,
                                        std::span<const std::int32_t> truth);

}  // namespace gir
