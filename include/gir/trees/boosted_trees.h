#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/export.h"

namespace gir {

/// Rows of features, row-major, that belong to the caller: row i begins at values[i * columns]. Features may be
/// infinite, but not NaN.
struct GIR_API FeatureRows {
  std::span<const float> values;
  std::int64_t columns = 0;

  std::int64_t rows() const { return columns > 0 ? static_cast<std::int64_t>(values.size()) / columns : 0; }
  const float* row(std::int64_t index) const { return values.data() + index * columns; }
};

struct GIR_API BoostedTreesOptions {
  std::int64_t trees = 300;
  double learning_rate = 0.05;
  std::int64_t leaves = 15;         ///< at most, per tree; 1 to 65,536
  std::int64_t min_leaf_rows = 20;  ///< at least 1
  double l2 = 1.0;                  ///< added to the sum of second derivatives of a leaf
  std::int64_t bins = 255;          ///< at most, per feature; 2 to 255
  double column_share = 1.0;        ///< of the features, drawn for each tree
  double row_share = 1.0;           ///< of the rows, drawn for each tree without replacement
  std::uint64_t seed = 0;           ///< of the draws
};

/// Gradient boosted trees as arrays, for saving. Node n of tree t is at index t * nodes_per_tree + n; node 0 is the
/// root. Unused nodes are leaves of value 0.
struct GIR_API TreeArrays {
  double base_score = 0;  ///< the score without trees
  std::int64_t columns = 0;
  std::int64_t trees = 0;
  std::int64_t nodes_per_tree = 1;
  std::vector<std::int32_t> features = {};  ///< that a node compares; -1 for a leaf
  std::vector<float> thresholds = {};       ///< rows with feature <= threshold go to the left child
  std::vector<std::int32_t> left = {};      ///< nodes of the same tree, after their parent; 0 for a leaf
  std::vector<std::int32_t> right = {};
  std::vector<float> values = {};  ///< what a leaf adds to the score

  friend bool operator==(const TreeArrays&, const TreeArrays&) = default;
};

/// Gradient boosted decision trees for two classes (Friedman, "Greedy function approximation: a gradient boosting
/// machine", 2001) with second-order gains, quantile bins and trees that grow at the leaf of the greatest gain.
class GIR_API BoostedTrees {
 public:
  /// Minimises the logistic loss; `targets` are 0 or 1 and both occur, `weights` are per row, at least 0 (none: all 1).
  /// The same bits on any number of threads. A feature has as many bins as it has distinct values, or quantile bins of
  /// 200,000 random rows. Of equal gains, the lower feature and the lower threshold win. Children whose second
  /// derivatives add up to less than 0.001 are not made.
  /// O(trees * rows * columns * depth) time; rows * columns bytes, and 24 bytes per bin for each leaf.
  static BoostedTrees train(const FeatureRows& rows, std::span<const float> targets, const BoostedTreesOptions& options,
                            std::span<const float> weights = {});

  /// UserError where the arrays are not those of trees.
  explicit BoostedTrees(TreeArrays arrays);

  const TreeArrays& arrays() const { return arrays_; }

  /// Log-odds of class 1 for every row; `out` has an element per row. O(trees * rows * depth).
  void score(const FeatureRows& rows, std::span<float> out) const;

 private:
  TreeArrays arrays_;
};

}  // namespace gir
