#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "feature_bins.h"
#include "gir/trees/boosted_trees.h"

namespace gir {

/// First and second derivative of a row's loss by its score.
struct Derivatives {
  double first = 0;
  double second = 0;
};

/// Sums over the rows of a bin or of a node.
struct RowSums {
  double first = 0;
  double second = 0;
  std::int64_t rows = 0;

  RowSums& operator+=(const RowSums& other);
  RowSums operator-(const RowSums& other) const;
};

/// A split of a leaf: rows whose bin of `column` is at most `bin` go left.
struct Split {
  double gain = 1e-9;        ///< of a split that is worth it: more, since less may be nothing but rounding
  std::int32_t column = -1;  ///< -1: no split is worth it
  std::int32_t bin = 0;
  RowSums left = {};
};

struct TreeNode {
  std::int32_t column = -1;  ///< -1 for a leaf
  std::int32_t bin = 0;
  std::int32_t left = 0;  ///< the right child follows
  float value = 0;        ///< of a leaf
};

/// Grows trees, one after the other, on the same features; keeps the memory of histograms between them.
class TreeGrower {
 public:
  /// Both arguments must outlive the grower.
  TreeGrower(const FeatureBins& features, const BoostedTreesOptions& options);

  /// A tree for the derivatives of all rows that looks only at `rows` and `columns` (both ascending). A tree without
  /// a split has the value 0.
  std::vector<TreeNode> grow(std::span<const Derivatives> derivatives, std::vector<std::int32_t> rows,
                             std::vector<std::int32_t> columns);

 private:
  struct Leaf {
    std::int32_t node = 0;
    std::int64_t begin = 0;  ///< of its rows in rows_
    std::int64_t end = 0;
    RowSums sums = {};
    std::size_t histogram = 0;  ///< in histograms_
    Split best = {};
  };

  void find_root(std::span<const Derivatives> derivatives);
  void split(Leaf& leaf, std::span<const Derivatives> derivatives);
  std::int64_t partition(const Leaf& leaf);

  /// The best splits of two leaves; `larger` (none at the root) has the histograms of their parent.
  void find_splits(Leaf& smaller, Leaf* larger, std::span<const Derivatives> derivatives);
  void fill_histograms(const Leaf& leaf, std::int64_t begin, std::int64_t end);
  template <std::size_t Columns>
  void fill_columns(const Leaf& leaf, std::int64_t first);

  Split best_of_column(const Leaf& leaf, std::int32_t column);
  bool may_split(const Leaf& leaf) const { return leaf.sums.rows >= 2 * options_.min_leaf_rows; }
  double leaf_score(const RowSums& sums) const { return sums.first * sums.first / (sums.second + options_.l2); }
  std::size_t take_histogram();
  RowSums* histogram(const Leaf& leaf, std::int32_t column);

  const FeatureBins& features_;
  const BoostedTreesOptions& options_;
  std::vector<std::vector<RowSums>> histograms_;  ///< of leaves, all columns one after the other
  std::vector<std::size_t> free_histograms_;
  std::vector<std::int64_t> offsets_;  ///< of the columns in a histogram

  std::vector<std::int32_t> rows_;  ///< leaf by leaf, ascending in each
  std::vector<std::int32_t> columns_;
  std::vector<Derivatives> gathered_;  ///< of the rows whose histograms are filled
  std::vector<std::int32_t> right_rows_;
  std::vector<TreeNode> nodes_;
  std::vector<Leaf> leaves_;
};

}  // namespace gir
