#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/export.h"
#include "gir/trees/boosted_trees.h"

namespace gir {

struct GIR_API RandomForestOptions {
  std::int64_t trees = 100;
  std::int64_t leaves = 64;        ///< at most, per tree
  std::int64_t min_leaf_rows = 3;  ///< at least 1
  std::int64_t columns = 0;  ///< features that are tried per split; 0: the square root of their number, rounded up
  std::uint64_t seed = 0;
};

/// A forest as arrays, for saving. Node n of tree t is at index t * nodes_per_tree + n; node 0 is the root. Unused
/// nodes are leaves.
struct GIR_API ForestArrays {
  std::int64_t classes = 0;
  std::int64_t columns = 0;
  std::int64_t trees = 0;
  std::int64_t nodes_per_tree = 1;
  std::vector<std::int32_t> features = {};  ///< that a node compares; -1 for a leaf
  std::vector<float> thresholds = {};       ///< rows with feature <= threshold go to the left child
  std::vector<std::int32_t> left = {};      ///< after their parent; the right child follows; 0 for a leaf
  std::vector<float> shares = {};           ///< of the classes among the training rows of a leaf, [nodes, classes]

  friend bool operator==(const ForestArrays&, const ForestArrays&) = default;
};

/// Extremely randomised trees for any number of classes (Geurts, Ernst and Wehenkel, "Extremely randomized trees",
/// 2006): a split compares a random feature with a random threshold between its least and its greatest value; of a few
/// such splits the one with the lowest Gini impurity is taken, and the leaf that gains most is split first. On a
/// hundred rows they overfit less than boosted trees or a network.
class GIR_API RandomForest {
 public:
  /// `rows` are finite; `classes` has a number in [0, num_classes) for every row, of which there is at least one. The
  /// same bits on any number of threads. O(trees * rows * depth * tried features).
  static RandomForest train(const FeatureRows& rows, std::span<const std::int32_t> classes, std::int64_t num_classes,
                            const RandomForestOptions& options = {});

  /// UserError where the arrays are not those of a forest.
  explicit RandomForest(ForestArrays arrays);

  const ForestArrays& arrays() const { return arrays_; }

  /// Mean over the trees of the class shares of the leaf of each row; `out` is [rows, classes].
  /// O(trees * rows * (depth + classes)).
  void probabilities(const FeatureRows& rows, std::span<float> out) const;

 private:
  ForestArrays arrays_;
};

}  // namespace gir
