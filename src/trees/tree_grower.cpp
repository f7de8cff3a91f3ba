#include "tree_grower.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowGrain = 1 << 14;
constexpr std::int64_t kBlockAdditions = 1 << 15;  ///< that are worth waking a thread
constexpr double kMinSecond = 1e-3;  ///< sum of second derivatives that a child has at least, as in LightGBM

/// Columns whose histograms are filled together: additions to four histograms do not wait for each other, while those
/// to one wait where neighbouring rows have the same bin.
constexpr std::size_t kTogether = 4;

}  // namespace

RowSums& RowSums::operator+=(const RowSums& other) {
  first += other.first;
  second += other.second;
  rows += other.rows;
  return *this;
}

RowSums RowSums::operator-(const RowSums& other) const {
  return {first - other.first, second - other.second, rows - other.rows};
}

TreeGrower::TreeGrower(const FeatureBins& features, const BoostedTreesOptions& options)
    : features_(features), options_(options), offsets_(1, 0) {
  for (std::int64_t column = 0; column < features.columns(); ++column) {
    offsets_.push_back(offsets_.back() + features.num_bins(column));
  }
}

std::vector<TreeNode> TreeGrower::grow(std::span<const Derivatives> derivatives, std::vector<std::int32_t> rows,
                                       std::vector<std::int32_t> columns) {
  rows_ = std::move(rows);
  columns_ = std::move(columns);
  find_root(derivatives);
  while (std::ssize(leaves_) < options_.leaves) {
    const auto best = std::max_element(leaves_.begin(), leaves_.end(),
                                       [](const Leaf& a, const Leaf& b) { return a.best.gain < b.best.gain; });
    if (best->best.column < 0) break;
    split(*best, derivatives);
  }
  if (leaves_.size() > 1) {
    for (const Leaf& leaf : leaves_) {
      const double step = -options_.learning_rate * leaf.sums.first / (leaf.sums.second + options_.l2);
      nodes_[static_cast<std::size_t>(leaf.node)].value = static_cast<float>(step);
    }
  }
  return nodes_;
}

void TreeGrower::find_root(std::span<const Derivatives> derivatives) {
  free_histograms_.resize(histograms_.size());
  std::iota(free_histograms_.begin(), free_histograms_.end(), 0);
  nodes_.assign(1, {});
  Leaf root{.end = std::ssize(rows_)};
  std::vector<RowSums> partial(static_cast<std::size_t>(num_blocks(root.end, kRowGrain)));
  parallel_for(root.end, kRowGrain, [&](std::int64_t begin, std::int64_t end) {
    RowSums& sums = partial[static_cast<std::size_t>(begin / kRowGrain)];
    for (std::int64_t i = begin; i < end; ++i) {
      const Derivatives& row = derivatives[static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)])];
      sums += {row.first, row.second, 1};
    }
  });
  for (const RowSums& sums : partial) root.sums += sums;
  root.histogram = take_histogram();
  if (may_split(root)) find_splits(root, nullptr, derivatives);
  leaves_.assign(1, root);
}

void TreeGrower::split(Leaf& leaf, std::span<const Derivatives> derivatives) {
  const Split& best = leaf.best;
  const auto child = static_cast<std::int32_t>(nodes_.size());
  nodes_[static_cast<std::size_t>(leaf.node)] = {.column = best.column, .bin = best.bin, .left = child};
  nodes_.resize(nodes_.size() + 2);
  const std::int64_t middle = partition(leaf);
  ensure(middle - leaf.begin == best.left.rows, "a split moves the rows that its histogram counted");
  Leaf left{.node = child, .begin = leaf.begin, .end = middle, .sums = best.left};
  Leaf right{.node = child + 1, .begin = middle, .end = leaf.end, .sums = leaf.sums - best.left};
  Leaf& smaller = left.sums.rows <= right.sums.rows ? left : right;
  Leaf& larger = &smaller == &left ? right : left;
  larger.histogram = leaf.histogram;
  if (std::ssize(leaves_) + 1 < options_.leaves && may_split(larger)) {
    smaller.histogram = take_histogram();
    find_splits(smaller, &larger, derivatives);
    if (smaller.best.column < 0) free_histograms_.push_back(smaller.histogram);
  }
  if (larger.best.column < 0) free_histograms_.push_back(larger.histogram);
  leaf = left;
  leaves_.push_back(right);
}

std::int64_t TreeGrower::partition(const Leaf& leaf) {
  const std::uint8_t* bins = features_.column(leaf.best.column);
  right_rows_.resize(static_cast<std::size_t>(leaf.end - leaf.begin));
  std::int64_t left = leaf.begin;
  std::size_t right = 0;
  for (std::int64_t i = leaf.begin; i < leaf.end; ++i) {
    const std::int32_t row = rows_[static_cast<std::size_t>(i)];
    const bool goes_left = bins[row] <= leaf.best.bin;
    rows_[static_cast<std::size_t>(left)] = row;
    right_rows_[right] = row;
    left += goes_left;
    right += !goes_left;
  }
  std::copy_n(right_rows_.begin(), right, rows_.begin() + left);
  return left;
}

void TreeGrower::find_splits(Leaf& smaller, Leaf* larger, std::span<const Derivatives> derivatives) {
  const std::int64_t size = smaller.end - smaller.begin;
  gathered_.resize(static_cast<std::size_t>(size));
  parallel_for(size, kRowGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int32_t row = rows_[static_cast<std::size_t>(smaller.begin + i)];
      gathered_[static_cast<std::size_t>(i)] = derivatives[static_cast<std::size_t>(row)];
    }
  });
  std::vector<std::array<Split, 2>> found(columns_.size());
  // One thread sums a column, in the order of the rows: the blocks of columns do not change a bit.
  const auto together = static_cast<std::int64_t>(kTogether);
  const std::int64_t grain = together * std::max<std::int64_t>(1, kBlockAdditions / (size * together));
  parallel_for(std::ssize(columns_), grain, [&](std::int64_t begin, std::int64_t end) {
    fill_histograms(smaller, begin, end);
    for (std::int64_t i = begin; i < end; ++i) {
      const auto index = static_cast<std::size_t>(i);
      const std::int32_t column = columns_[index];
      if (may_split(smaller)) found[index][0] = best_of_column(smaller, column);
      if (larger == nullptr) continue;
      const RowSums* removed = histogram(smaller, column);
      RowSums* kept = histogram(*larger, column);
      for (std::int64_t bin = 0; bin < features_.num_bins(column); ++bin) kept[bin] = kept[bin] - removed[bin];
      found[index][1] = best_of_column(*larger, column);
    }
  });
  for (const auto& [of_smaller, of_larger] : found) {
    if (of_smaller.gain > smaller.best.gain) smaller.best = of_smaller;
    if (larger != nullptr && of_larger.gain > larger->best.gain) larger->best = of_larger;
  }
}

void TreeGrower::fill_histograms(const Leaf& leaf, std::int64_t begin, std::int64_t end) {
  for (; begin + static_cast<std::int64_t>(kTogether) <= end; begin += kTogether) fill_columns<kTogether>(leaf, begin);
  for (; begin < end; ++begin) fill_columns<1>(leaf, begin);
}

template <std::size_t Columns>
void TreeGrower::fill_columns(const Leaf& leaf, std::int64_t first) {
  std::array<const std::uint8_t*, Columns> bins;
  std::array<RowSums*, Columns> sums;
  for (std::size_t i = 0; i < Columns; ++i) {
    const std::int32_t column = columns_[static_cast<std::size_t>(first) + i];
    bins[i] = features_.column(column);
    sums[i] = histogram(leaf, column);
    std::fill_n(sums[i], features_.num_bins(column), RowSums{});
  }
  const std::int32_t* rows = rows_.data() + leaf.begin;
  for (std::size_t k = 0; k < gathered_.size(); ++k) {
    const RowSums added{gathered_[k].first, gathered_[k].second, 1};
    const std::int32_t row = rows[k];
    for (std::size_t i = 0; i < Columns; ++i) sums[i][bins[i][row]] += added;
  }
}

Split TreeGrower::best_of_column(const Leaf& leaf, std::int32_t column) {
  const RowSums* bins = histogram(leaf, column);
  const double before = leaf_score(leaf.sums);
  Split best;
  RowSums left;
  for (std::int32_t bin = 0; bin + 1 < features_.num_bins(column); ++bin) {
    if (bins[bin].rows == 0) continue;  // the same rows as with the bin before; its sums may be rounding
    left += bins[bin];
    const RowSums right = leaf.sums - left;
    if (right.rows < options_.min_leaf_rows || right.second < kMinSecond) break;
    if (left.rows < options_.min_leaf_rows || left.second < kMinSecond) continue;
    const double gain = leaf_score(left) + leaf_score(right) - before;
    if (gain > best.gain) best = {.gain = gain, .column = column, .bin = bin, .left = left};
  }
  return best;
}

std::size_t TreeGrower::take_histogram() {
  if (free_histograms_.empty()) {
    histograms_.emplace_back(static_cast<std::size_t>(offsets_.back()));
    return histograms_.size() - 1;
  }
  const std::size_t taken = free_histograms_.back();
  free_histograms_.pop_back();
  return taken;
}

RowSums* TreeGrower::histogram(const Leaf& leaf, std::int32_t column) {
  return histograms_[leaf.histogram].data() + offsets_[static_cast<std::size_t>(column)];
}

}  // namespace gir
