#include "gir/trees/boosted_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "feature_bins.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"
#include "tree_grower.h"

namespace gir {
namespace {

constexpr std::int64_t kTrainingGrain = 4096;  ///< rows
constexpr std::int64_t kScoringGrain = 64;     ///< rows whose features stay in the cache while all trees read them
constexpr std::int64_t kMaxLeaves = 65'536;

void check(const FeatureRows& rows, std::span<const float> targets, std::span<const float> weights) {
  ensure_features(rows);
  ensure(rows.rows() <= std::numeric_limits<std::int32_t>::max(), "rows are numbered with 32 bits");
  ensure(std::ssize(targets) == rows.rows(), "every row has a target");
  ensure(weights.empty() || weights.size() == targets.size(), "every row has a weight");
  for (const float target : targets) ensure(target == 0 || target == 1, "targets are 0 or 1");
  for (const float weight : weights) ensure(weight >= 0 && std::isfinite(weight), "weights are numbers of at least 0");
}

void check(const BoostedTreesOptions& options) {
  const auto is_share = [](double share) { return share > 0 && share <= 1; };
  ensure(options.trees >= 0, "a number of trees");
  ensure(options.learning_rate > 0 && std::isfinite(options.learning_rate), "a learning rate");
  ensure(options.leaves >= 1 && options.leaves <= kMaxLeaves, "a number of leaves");
  ensure(options.min_leaf_rows >= 1, "leaves have rows");
  ensure(options.l2 >= 0 && std::isfinite(options.l2), "a weight of the values of leaves");
  ensure(options.bins >= 2 && options.bins <= 255, "the number of a bin is a byte");
  ensure(is_share(options.column_share), "a share of the columns");
  ensure(is_share(options.row_share), "a share of the rows");
}

double weight_of(std::span<const float> weights, std::int64_t row) {
  return weights.empty() ? 1.0 : static_cast<double>(weights[static_cast<std::size_t>(row)]);
}

/// Log-odds of the weighted mean of the targets.
double base_score_of(std::span<const float> targets, std::span<const float> weights) {
  std::array<double, 2> mass{};  // of the classes
  for (std::size_t i = 0; i < targets.size(); ++i) {
    mass[targets[i] == 1 ? 1 : 0] += weight_of(weights, static_cast<std::int64_t>(i));
  }
  ensure(mass[0] > 0 && mass[1] > 0, "both classes occur");
  return std::log(mass[1] / mass[0]);
}

/// Of the logistic loss.
Derivatives derivatives_of(double score, float target, double weight) {
  const double probability = 1 / (1 + std::exp(-score));
  return {weight * (probability - static_cast<double>(target)), weight * probability * (1 - probability)};
}

TreeArrays leaves_only(std::int64_t columns, const BoostedTreesOptions& options) {
  TreeArrays arrays{.columns = columns, .trees = options.trees, .nodes_per_tree = 2 * options.leaves - 1};
  const auto size = static_cast<std::size_t>(arrays.trees * arrays.nodes_per_tree);
  arrays.features.assign(size, -1);
  arrays.thresholds.assign(size, 0);
  arrays.left.assign(size, 0);
  arrays.right.assign(size, 0);
  arrays.values.assign(size, 0);
  return arrays;
}

void store(const std::vector<TreeNode>& nodes, const FeatureBins& bins, std::int64_t tree, TreeArrays& arrays) {
  auto index = static_cast<std::size_t>(tree * arrays.nodes_per_tree);
  for (const TreeNode& node : nodes) {
    if (node.column < 0) {
      arrays.values[index] = node.value;
    } else {
      arrays.features[index] = node.column;
      arrays.thresholds[index] = bins.edge(node.column, node.bin);
      arrays.left[index] = node.left;
      arrays.right[index] = node.left + 1;
    }
    ++index;
  }
}

/// What a tree adds to the score of a training row.
double value_of(const std::vector<TreeNode>& nodes, const FeatureBins& bins, std::int64_t row) {
  const TreeNode* node = nodes.data();
  while (node->column >= 0) {
    const bool goes_left = bins.column(node->column)[row] <= node->bin;
    const auto left = static_cast<std::size_t>(node->left);
    node = &nodes[goes_left ? left : left + 1];
  }
  return static_cast<double>(node->value);
}

/// Draws a share of `count` things, at least one.
std::vector<std::int32_t> draw_share(std::int64_t count, double share, const RandomStream& stream) {
  const auto drawn = static_cast<std::int64_t>(std::round(share * static_cast<double>(count)));
  return draw_ascending(count, std::max<std::int64_t>(drawn, 1), stream);
}

/// Adds the leaf values of a tree to the sums of rows [begin, end).
void add_tree(const TreeArrays& arrays, std::int64_t tree, const FeatureRows& rows, std::int64_t begin,
              std::int64_t end, double* sums) {
  const std::int64_t first = tree * arrays.nodes_per_tree;
  const std::int32_t* features = arrays.features.data() + first;
  const float* thresholds = arrays.thresholds.data() + first;
  const std::int32_t* left = arrays.left.data() + first;
  const std::int32_t* right = arrays.right.data() + first;
  const float* values = arrays.values.data() + first;
  for (std::int64_t i = begin; i < end; ++i) {
    const float* row = rows.row(i);
    std::int32_t node = 0;
    while (features[node] >= 0) node = row[features[node]] <= thresholds[node] ? left[node] : right[node];
    *sums++ += static_cast<double>(values[node]);
  }
}

void check_node(const TreeArrays& arrays, std::int64_t tree, std::int64_t node) {
  const auto index = static_cast<std::size_t>(tree * arrays.nodes_per_tree + node);
  const auto require = [&](bool condition, std::string_view fact) {
    if (!condition) {
      throw UserError("boosted trees: tree {}, node {}: {} [the file is damaged: train again]", tree, node, fact);
    }
  };
  const auto is_child = [&](std::int32_t child) { return child > node && child < arrays.nodes_per_tree; };
  const std::int32_t feature = arrays.features[index];
  require(feature >= -1 && feature < arrays.columns, "there is no such feature");
  require(std::isfinite(arrays.values[index]), "the value is not finite");
  require(!std::isnan(arrays.thresholds[index]), "the threshold is not a number");
  if (feature >= 0) require(is_child(arrays.left[index]) && is_child(arrays.right[index]), "there is no such child");
}

void check(const TreeArrays& arrays) {
  const auto require = [](bool condition, std::string_view fact) {
    if (!condition) throw UserError("boosted trees: {} [the file is damaged: train again]", fact);
  };
  require(arrays.columns > 0, "there are no features");
  require(std::isfinite(arrays.base_score), "the base score is not finite");
  require(arrays.trees >= 0 && arrays.nodes_per_tree >= 1 && arrays.nodes_per_tree < 2 * kMaxLeaves,
          "the number of trees or nodes is out of range");
  const std::size_t size = arrays.features.size();
  const auto per_tree = static_cast<std::size_t>(arrays.nodes_per_tree);
  require(size % per_tree == 0 && size / per_tree == static_cast<std::size_t>(arrays.trees) &&
              arrays.thresholds.size() == size && arrays.left.size() == size && arrays.right.size() == size &&
              arrays.values.size() == size,
          "the arrays do not have one element per node");
  for (std::int64_t tree = 0; tree < arrays.trees; ++tree) {
    for (std::int64_t node = 0; node < arrays.nodes_per_tree; ++node) check_node(arrays, tree, node);
  }
}

}  // namespace

BoostedTrees BoostedTrees::train(const FeatureRows& rows, std::span<const float> targets,
                                 const BoostedTreesOptions& options, std::span<const float> weights) {
  check(options);
  check(rows, targets, weights);
  TreeArrays arrays = leaves_only(rows.columns, options);
  arrays.base_score = base_score_of(targets, weights);
  const FeatureBins bins(rows, options.bins, options.seed);
  TreeGrower grower(bins, options);
  std::vector<double> scores(targets.size(), arrays.base_score);
  std::vector<Derivatives> derivatives(targets.size());
  for (std::int64_t tree = 0; tree < options.trees; ++tree) {
    parallel_for(rows.rows(), kTrainingGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto row = static_cast<std::size_t>(i);
        derivatives[row] = derivatives_of(scores[row], targets[row], weight_of(weights, i));
      }
    });
    const auto number = static_cast<std::uint64_t>(tree);
    const std::vector<TreeNode> nodes = grower.grow(
        derivatives, draw_share(rows.rows(), options.row_share, RandomStream(options.seed, "rows of a tree", number)),
        draw_share(rows.columns, options.column_share, RandomStream(options.seed, "columns of a tree", number)));
    store(nodes, bins, tree, arrays);
    parallel_for(rows.rows(), kTrainingGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) scores[static_cast<std::size_t>(i)] += value_of(nodes, bins, i);
    });
  }
  return BoostedTrees(std::move(arrays));
}

BoostedTrees::BoostedTrees(TreeArrays arrays) : arrays_(std::move(arrays)) { check(arrays_); }

void BoostedTrees::score(const FeatureRows& rows, std::span<float> out) const {
  ensure_features(rows);
  ensure(rows.columns == arrays_.columns && std::ssize(out) == rows.rows(), "rows of the features of training");
  parallel_for(rows.rows(), kScoringGrain, [&](std::int64_t begin, std::int64_t end) {
    std::array<double, kScoringGrain> sums;
    sums.fill(arrays_.base_score);
    for (std::int64_t tree = 0; tree < arrays_.trees; ++tree) add_tree(arrays_, tree, rows, begin, end, sums.data());
    std::copy_n(sums.begin(), end - begin, out.begin() + begin);
  });
}

}  // namespace gir
