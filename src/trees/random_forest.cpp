#include "gir/trees/random_forest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "feature_bins.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/core/random.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 1 << 8;
constexpr double kMinGain = 1e-9;  ///< less may be nothing but rounding

struct ForestSplit {
  double gain = kMinGain;
  std::int32_t column = -1;  ///< -1: no split is worth it
  float threshold = 0;
};

struct ForestNode {
  std::int32_t column = -1;  ///< -1 for a leaf
  float threshold = 0;
  std::int32_t left = 0;
  std::vector<float> shares = {};  ///< of a leaf
};

/// Grows one tree.
class ForestTree {
 public:
  ForestTree(const FeatureRows& rows, std::span<const std::int32_t> classes, std::int64_t num_classes,
             const RandomForestOptions& options, std::uint64_t number)
      : rows_(rows),
        classes_(classes),
        num_classes_(static_cast<std::size_t>(num_classes)),
        options_(options),
        rng_(options.seed, "trees/forest", number),
        order_(static_cast<std::size_t>(rows.rows())) {
    std::iota(order_.begin(), order_.end(), std::int64_t{0});
  }

  std::vector<ForestNode> grow() {
    add_leaf(0, rows_.rows());
    while (std::ssize(leaves_) < options_.leaves) {
      const auto best = std::max_element(leaves_.begin(), leaves_.end(),
                                         [](const Leaf& a, const Leaf& b) { return a.best.gain < b.best.gain; });
      if (best->best.column < 0) break;
      split(*best);
    }
    for (const Leaf& leaf : leaves_) nodes_[leaf.node].shares = shares_of(leaf);
    return std::move(nodes_);
  }

 private:
  using Counts = std::vector<double>;  ///< rows of each class

  struct Leaf {
    std::size_t node = 0;
    std::int64_t begin = 0;  ///< of its rows in order_
    std::int64_t end = 0;
    ForestSplit best = {};
  };

  float value(std::int64_t position, std::int64_t column) const {
    return rows_.row(order_[static_cast<std::size_t>(position)])[column];
  }

  std::size_t class_at(std::int64_t position) const {
    return static_cast<std::size_t>(classes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(position)])]);
  }

  Counts counts_of(const Leaf& leaf) const {
    Counts counts(num_classes_, 0);
    for (std::int64_t i = leaf.begin; i < leaf.end; ++i) ++counts[class_at(i)];
    return counts;
  }

  std::vector<float> shares_of(const Leaf& leaf) const {
    std::vector<float> shares;
    for (const double count : counts_of(leaf)) {
      shares.push_back(static_cast<float>(count / static_cast<double>(leaf.end - leaf.begin)));
    }
    return shares;
  }

  void add_leaf(std::int64_t begin, std::int64_t end) {
    leaves_.push_back({.node = nodes_.size(), .begin = begin, .end = end});
    nodes_.emplace_back();
    leaves_.back().best = find_split(leaves_.back());
  }

  /// The sum of squared class counts over their number: rows minus rows times the Gini impurity.
  static double purity(const Counts& counts, double rows) {
    double squares = 0;
    for (const double count : counts) squares += count * count;
    return squares / rows;
  }

  ForestSplit find_split(const Leaf& leaf) {
    ForestSplit best;
    if (leaf.end - leaf.begin < 2 * options_.min_leaf_rows) return best;
    const Counts all = counts_of(leaf);
    const double before = purity(all, static_cast<double>(leaf.end - leaf.begin));
    std::vector<std::int32_t> columns(static_cast<std::size_t>(rows_.columns));
    std::iota(columns.begin(), columns.end(), 0);
    rng_.shuffle(columns);
    std::int64_t tried = 0;
    for (std::size_t i = 0; i < columns.size() && tried < columns_per_split(); ++i) {
      const std::optional<float> threshold = draw_threshold(leaf, columns[i]);
      if (!threshold) continue;
      ++tried;
      const double gain = gain_of(leaf, all, columns[i], *threshold) - before;
      if (gain > best.gain) best = {.gain = gain, .column = columns[i], .threshold = *threshold};
    }
    return best;
  }

  std::int64_t columns_per_split() const {
    if (options_.columns > 0) return options_.columns;
    return static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(rows_.columns))));
  }

  /// Uniform between the least and the greatest value; none where they are equal.
  std::optional<float> draw_threshold(const Leaf& leaf, std::int32_t column) {
    float low = value(leaf.begin, column);
    float high = low;
    for (std::int64_t i = leaf.begin + 1; i < leaf.end; ++i) {
      low = std::min(low, value(i, column));
      high = std::max(high, value(i, column));
    }
    if (low == high) return std::nullopt;
    const double drawn = low + rng_.uniform() * (static_cast<double>(high) - low);
    const auto threshold = static_cast<float>(drawn);
    return threshold < high ? threshold : low;  // rounding must not send all rows to the left
  }

  /// The purity of both sides; 0 where one of them has too few rows.
  double gain_of(const Leaf& leaf, const Counts& all, std::int32_t column, float threshold) const {
    Counts left(num_classes_, 0);
    double rows = 0;
    for (std::int64_t i = leaf.begin; i < leaf.end; ++i) {
      if (value(i, column) > threshold) continue;
      ++left[class_at(i)];
      ++rows;
    }
    const double others = static_cast<double>(leaf.end - leaf.begin) - rows;
    if (std::min(rows, others) < static_cast<double>(options_.min_leaf_rows)) return 0;
    Counts right = all;
    for (std::size_t c = 0; c < num_classes_; ++c) right[c] -= left[c];
    return purity(left, rows) + purity(right, others);
  }

  void split(Leaf& leaf) {
    const ForestSplit best = leaf.best;
    const std::int64_t begin = leaf.begin;
    const std::int64_t end = leaf.end;
    nodes_[leaf.node].column = best.column;
    nodes_[leaf.node].threshold = best.threshold;
    nodes_[leaf.node].left = static_cast<std::int32_t>(nodes_.size());
    const auto middle = std::stable_partition(order_.begin() + begin, order_.begin() + end, [&](std::int64_t row) {
      return rows_.row(row)[best.column] <= best.threshold;
    });
    leaf = leaves_.back();
    leaves_.pop_back();
    add_leaf(begin, middle - order_.begin());
    add_leaf(middle - order_.begin(), end);
  }

  const FeatureRows& rows_;
  std::span<const std::int32_t> classes_;
  std::size_t num_classes_;
  const RandomForestOptions& options_;
  Rng rng_;
  std::vector<std::int64_t> order_;  ///< rows, those of a leaf side by side
  std::vector<Leaf> leaves_;
  std::vector<ForestNode> nodes_;
};

void store(const std::vector<ForestNode>& tree, std::int64_t number, ForestArrays& arrays) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(number * arrays.nodes_per_tree) + i;
    arrays.features[at] = tree[i].column;
    arrays.thresholds[at] = tree[i].threshold;
    arrays.left[at] = tree[i].left;
    std::copy(tree[i].shares.begin(), tree[i].shares.end(),
              arrays.shares.begin() + static_cast<std::ptrdiff_t>(at) * arrays.classes);
  }
}

}  // namespace

RandomForest RandomForest::train(const FeatureRows& rows, std::span<const std::int32_t> classes,
                                 std::int64_t num_classes, const RandomForestOptions& options) {
  ensure_features(rows);
  ensure(std::ssize(classes) == rows.rows() && !classes.empty(), "a class for each row, and at least one row");
  ensure(options.leaves >= 1 && options.trees >= 1 && options.min_leaf_rows >= 1, "valid options of a forest");
  ForestArrays arrays{.classes = num_classes,
                      .columns = rows.columns,
                      .trees = options.trees,
                      .nodes_per_tree = 2 * options.leaves - 1};
  const auto nodes = static_cast<std::size_t>(arrays.trees * arrays.nodes_per_tree);
  arrays.features.assign(nodes, -1);
  arrays.thresholds.assign(nodes, 0);
  arrays.left.assign(nodes, 0);
  arrays.shares.assign(nodes * static_cast<std::size_t>(num_classes), 0);
  parallel_for(options.trees, 1, [&](std::int64_t tree, std::int64_t) {
    ForestTree growing(rows, classes, num_classes, options, static_cast<std::uint64_t>(tree));
    store(growing.grow(), tree, arrays);
  });
  return RandomForest(std::move(arrays));
}

RandomForest::RandomForest(ForestArrays arrays) : arrays_(std::move(arrays)) {
  const auto nodes = static_cast<std::size_t>(arrays_.trees * arrays_.nodes_per_tree);
  const auto valid = [&](std::size_t i) {
    if (arrays_.features[i] == -1) return true;
    const auto node = static_cast<std::int64_t>(i) % arrays_.nodes_per_tree;
    return arrays_.features[i] >= 0 && arrays_.features[i] < arrays_.columns && arrays_.left[i] > node &&
           arrays_.left[i] + 1 < arrays_.nodes_per_tree;
  };
  bool all_valid = arrays_.features.size() == nodes && arrays_.thresholds.size() == nodes &&
                   arrays_.left.size() == nodes &&
                   arrays_.shares.size() == nodes * static_cast<std::size_t>(arrays_.classes);
  for (std::size_t i = 0; all_valid && i < nodes; ++i) all_valid = valid(i);
  if (!all_valid) throw UserError("the arrays are not those of a forest [train the model again]");
}

void RandomForest::probabilities(const FeatureRows& rows, std::span<float> out) const {
  ensure(rows.columns == arrays_.columns && std::ssize(out) == rows.rows() * arrays_.classes,
         "rows of features, and a probability per class for each");
  const auto classes = static_cast<std::size_t>(arrays_.classes);
  parallel_for(rows.rows(), kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> sums(classes);
    for (std::int64_t row = begin; row < end; ++row) {
      std::fill(sums.begin(), sums.end(), 0);
      for (std::int64_t tree = 0; tree < arrays_.trees; ++tree) {
        const auto root = static_cast<std::size_t>(tree * arrays_.nodes_per_tree);
        std::size_t at = root;
        while (arrays_.features[at] >= 0) {
          const bool right = rows.row(row)[arrays_.features[at]] > arrays_.thresholds[at];
          at = root + static_cast<std::size_t>(arrays_.left[at]) + (right ? 1 : 0);
        }
        for (std::size_t c = 0; c < classes; ++c) sums[c] += arrays_.shares[at * classes + c];
      }
      for (std::size_t c = 0; c < classes; ++c) {
        out[static_cast<std::size_t>(row) * classes + c] =
            static_cast<float>(sums[c] / static_cast<double>(arrays_.trees));
      }
    }
  });
}

}  // namespace gir
