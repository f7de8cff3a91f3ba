#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "gir/core/random.h"
#include "gir/trees/boosted_trees.h"

namespace gir::testing {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Examples {
  std::int64_t columns = 1;
  std::vector<float> features = {};
  std::vector<float> targets = {};
  std::vector<float> weights = {};

  FeatureRows rows() const { return {.values = features, .columns = columns}; }
  void add(const std::vector<float>& row, float target, int times = 1) {
    for (int i = 0; i < times; ++i) {
      features.insert(features.end(), row.begin(), row.end());
      targets.push_back(target);
    }
  }
};

inline BoostedTrees train(const Examples& examples, const BoostedTreesOptions& options) {
  return BoostedTrees::train(examples.rows(), examples.targets, options, examples.weights);
}

inline std::vector<float> scores_of(const BoostedTrees& trees, const FeatureRows& rows) {
  std::vector<float> scores(static_cast<std::size_t>(rows.rows()));
  trees.score(rows, scores);
  return scores;
}

/// Rows of whole numbers below `distinct`, at least three columns; targets depend on the first three and on chance.
inline Examples random_examples(std::uint64_t seed, std::int64_t count, std::int64_t columns, std::uint64_t distinct) {
  Examples examples{.columns = columns};
  Rng random(seed, "examples");
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<float> row;
    for (std::int64_t column = 0; column < columns; ++column) row.push_back(static_cast<float>(random.below(distinct)));
    const float middle = static_cast<float>(distinct) / 2;
    const double chance = row[0] < middle ? 0.2 : (row[1] < middle) != (row[2] < middle) ? 0.9 : 0.4;
    examples.add(row, random.uniform() < chance ? 1 : 0);
  }
  return examples;
}

/// The nodes of a tree that a row visits, from the root to a leaf.
inline std::vector<std::int64_t> path_of(const TreeArrays& arrays, std::int64_t tree, const float* row) {
  std::vector<std::int64_t> path = {0};
  while (true) {
    const auto index = static_cast<std::size_t>(tree * arrays.nodes_per_tree + path.back());
    const std::int32_t feature = arrays.features[index];
    if (feature < 0) return path;
    path.push_back(row[feature] <= arrays.thresholds[index] ? arrays.left[index] : arrays.right[index]);
  }
}

inline std::int64_t leaf_of(const TreeArrays& arrays, std::int64_t tree, const float* row) {
  return path_of(arrays, tree, row).back();
}

}  // namespace gir::testing
