#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "gir/trees/boosted_trees.h"
#include "trees/examples.h"

namespace gir::testing {

/// Scores of the training rows, computed from the definition: every split of every leaf is tried with sums over rows.
class NaiveTraining {
 public:
  NaiveTraining(const Examples& examples, const BoostedTreesOptions& options) : examples_(examples), options_(options) {
    double mass[2] = {0, 0};
    for (std::size_t i = 0; i < examples.targets.size(); ++i) {
      mass[static_cast<int>(examples.targets[i])] += examples.weights[i];
    }
    scores_.assign(examples.targets.size(), std::log(mass[1] / mass[0]));
    for (std::int64_t tree = 0; tree < options.trees; ++tree) add_tree();
  }

  const std::vector<double>& scores() const { return scores_; }

 private:
  using Rows = std::vector<std::size_t>;
  struct Cut {
    double gain = 1e-9;
    Rows left = {}, right = {};
  };

  void add_tree() {
    first_.clear();
    second_.clear();
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const double p = 1 / (1 + std::exp(-scores_[i]));
      first_.push_back(examples_.weights[i] * (p - examples_.targets[i]));
      second_.push_back(examples_.weights[i] * p * (1 - p));
    }
    std::vector<Rows> leaves(1);
    for (std::size_t i = 0; i < scores_.size(); ++i) leaves[0].push_back(i);
    while (std::ssize(leaves) < options_.leaves) {
      Cut best;
      std::size_t chosen = 0;
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        Cut cut = best_cut(leaves[leaf]);
        if (cut.gain > best.gain) {
          best = std::move(cut);
          chosen = leaf;
        }
      }
      if (best.left.empty()) break;
      leaves[chosen] = best.left;
      leaves.push_back(best.right);
    }
    for (const Rows& leaf : leaves) {
      const double step = -options_.learning_rate * sum(first_, leaf) / (sum(second_, leaf) + options_.l2);
      for (const std::size_t i : leaf) scores_[i] += step;
    }
  }

  Cut best_cut(const Rows& leaf) const {
    Cut best;
    for (std::int64_t column = 0; column < examples_.columns; ++column) {
      for (const std::size_t at : leaf) {
        Cut cut;
        for (const std::size_t i : leaf) (value(i, column) <= value(at, column) ? cut.left : cut.right).push_back(i);
        if (std::ssize(cut.left) < options_.min_leaf_rows || std::ssize(cut.right) < options_.min_leaf_rows) continue;
        cut.gain = quality(cut.left) + quality(cut.right) - quality(leaf);
        if (cut.gain > best.gain) best = cut;
      }
    }
    return best;
  }

  float value(std::size_t row, std::int64_t column) const {
    return examples_.rows().row(static_cast<std::int64_t>(row))[column];
  }
  static double sum(const std::vector<double>& derivatives, const Rows& rows) {
    double sum = 0;
    for (const std::size_t i : rows) sum += derivatives[i];
    return sum;
  }
  double quality(const Rows& rows) const {
    return sum(first_, rows) * sum(first_, rows) / (sum(second_, rows) + options_.l2);
  }

  const Examples& examples_;
  const BoostedTreesOptions& options_;
  std::vector<double> scores_, first_, second_;
};

}  // namespace gir::testing
