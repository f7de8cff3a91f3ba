#include "gir/learn/pair_pool.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/random.h"

namespace gir {
namespace {

/// Of all views together. Computing pair features is most of the preparation: docs/links.md, "Cost".
constexpr std::int64_t kMaxPairs = std::int64_t{1} << 18;
constexpr std::int64_t kMaxNegatives = 4;  ///< per positive

/// `count` of `items`, in random order.
template <typename T>
void take_at_random(std::vector<T>& items, std::int64_t count, Rng rng) {
  rng.shuffle(items);
  items.resize(static_cast<std::size_t>(std::min(count, std::ssize(items))));
}

std::vector<std::int64_t> rows(std::int64_t begin, std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), begin);
  return all;
}

}  // namespace

PairPool::PairPool(const PairSplit& split, const HiddenEdges* hidden, const PairDescription& description,
                   std::uint64_t seed, const std::function<void()>& before_view)
    : nodes_(split.message_graph().num_nodes()), first_view_(hidden == nullptr ? 0 : 1), seed_(seed) {
  const std::int64_t views = hidden == nullptr ? 1 : std::ssize(hidden->parts);
  const std::int64_t max_of_view = kMaxPairs / views;
  const auto free = static_cast<std::int64_t>(split.universe().size() - split.train_positive_set().size());
  for (std::int64_t i = 0; i < views; ++i) {
    std::vector<NodePair> positives =
        hidden == nullptr ? split.train_positives() : hidden->parts[static_cast<std::size_t>(i)];
    const auto number = static_cast<std::uint64_t>(i);
    if (std::ssize(positives) > max_of_view / 2) {
      take_at_random(positives, max_of_view / 2, Rng(seed, "train/pool/positives", number));
    }
    const std::int64_t count = std::ssize(positives);
    const std::int64_t wanted = std::min(kMaxNegatives * count, std::max(count, max_of_view - count));
    const auto negatives = split.train_negatives(
        number, seed, static_cast<std::size_t>(std::clamp(free, std::min(count, wanted), wanted)));
    views_.push_back({.begin = std::ssize(pairs_), .positives = count, .negatives = std::ssize(negatives)});
    pairs_.insert(pairs_.end(), positives.begin(), positives.end());
    pairs_.insert(pairs_.end(), negatives.begin(), negatives.end());
  }
  features_ = at::empty({std::ssize(pairs_), description.width()});
  targets_ = at::zeros({std::ssize(pairs_)});
  for (std::int64_t i = 0; i < views; ++i) {
    if (before_view) before_view();
    const View& view = views_[static_cast<std::size_t>(i)];
    const auto pairs = std::span<const NodePair>(pairs_).subspan(
        static_cast<std::size_t>(view.begin), static_cast<std::size_t>(view.positives + view.negatives));
    std::vector<float> described = description.describe(pairs, first_view_ + i);
    features_.narrow(0, view.begin, std::ssize(pairs))
        .copy_(at::from_blob(described.data(), {std::ssize(pairs), description.width()}));
    targets_.narrow(0, view.begin, view.positives).fill_(1);
  }
}

PairBatch PairPool::draw(std::int64_t number, std::uint64_t epoch, std::int64_t count) const {
  const View& view = of(number);
  std::vector<std::int64_t> chosen = rows(view.begin, view.positives);
  if (count < view.positives) take_at_random(chosen, count, Rng(seed_, "train/pool/epoch-positives", epoch));
  std::vector<std::int64_t> negatives = rows(view.begin + view.positives, view.negatives);
  take_at_random(negatives, std::ssize(chosen), Rng(seed_, "train/pool/epoch-negatives", epoch));
  ensure(negatives.size() == chosen.size(), "at least as many negatives as positives in the pool");
  chosen.insert(chosen.end(), negatives.begin(), negatives.end());
  std::vector<NodePair> pairs;
  for (const std::int64_t row : chosen) pairs.push_back(pairs_[static_cast<std::size_t>(row)]);
  const at::Tensor index = at::from_blob(chosen.data(), {std::ssize(chosen)}, at::kLong);
  return {pairs, nodes_, features_.index_select(0, index)};
}

}  // namespace gir
