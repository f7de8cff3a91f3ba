#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/export.h"

namespace gir {

// All metrics are fractions in [0, 1], larger is better. A score that is not a number is a bug of ours (ensure).

/// Share of places where both say the same; 0 where there are none. O(n).
GIR_API double accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth);

/// Mean over classes of F1 = 2 TP / (2 TP + FP + FN). Classes are 0 .. num_classes - 1, and those that occur neither
/// in `predicted` nor in `truth` do not count, as in scikit-learn: a split need not have all of them. 0 where there is
/// nothing to judge. O(n + num_classes).
GIR_API double macro_f1(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth,
                        std::int64_t num_classes);

/// Chance that a positive scores above a negative, a tie being one half: the area under the ROC curve. Counted in
/// whole numbers, so exact but for the last division. 0.5, what guessing gets, where either side is empty.
/// O(n log n).
GIR_API double roc_auc(std::span<const float> positives, std::span<const float> negatives);

/// Sum over thresholds of precision times gain in recall. Thresholds are the distinct scores, so that equal scores
/// are taken together whatever their order, as in scikit-learn. 0 without positives, 1 without negatives. O(n log n).
GIR_API double average_precision(std::span<const float> positives, std::span<const float> negatives);

/// Share of positives that score strictly above the k-th best negative (equal scores each have a place of their own),
/// as the Open Graph Benchmark defines it. 0 without positives, else 1 with fewer than k negatives. O(n log n).
GIR_API double hits_at(std::int64_t k, std::span<const float> positives, std::span<const float> negatives);

/// Mean of 1 / rank, where the rank of a positive is its place among all negatives, from 1. Among equal scores it is
/// the mean of the best and the worst place: 1 + better negatives + equal negatives / 2. 0 without positives.
/// O(n log n).
GIR_API double mean_reciprocal_rank(std::span<const float> positives, std::span<const float> negatives);

/// How far experts correct each other: EC of SPEC section 6.
struct GIR_API Complementarity {
  double overall = 0;              ///< EC: the mean over experts
  std::vector<double> of_experts;  ///< EC_i: harmonic mean of |F_i and T_~i| / |F_i| and |F_i and T_~i| / |T_~i|
};

/// F_i are the places that expert i gets wrong, T_~i those that at least one of the others gets right; shares of empty
/// sets are 0. `predicted` has a list for every expert, all as long as `truth`. O(experts^2 n).
GIR_API Complementarity complementarity(std::span<const std::vector<std::int32_t>> predicted,
                                        std::span<const std::int32_t> truth);

}  // namespace gir
