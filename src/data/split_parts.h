#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gir/core/random.h"
#include "gir/data/pairs.h"
#include "gir/data/split.h"
#include "gir/graph/components.h"

namespace gir {

/// Shuffles the items and splits them into three parts.
template <typename T>
std::array<std::vector<T>, 3> shuffle_and_split(std::vector<T> items, const SplitShares& shares, Rng rng) {
  rng.shuffle(items);
  const PartSizes sizes = part_sizes(items.size(), shares);
  const auto train_end = items.begin() + static_cast<std::ptrdiff_t>(sizes.train);
  const auto valid_end = train_end + static_cast<std::ptrdiff_t>(sizes.valid);
  return {std::vector<T>(items.begin(), train_end), std::vector<T>(train_end, valid_end),
          std::vector<T>(valid_end, items.end())};
}

/// A group per node: the same for nodes of the same component and label, -1 for nodes without a label.
struct Groups {
  std::vector<std::int32_t> of_node;
  std::int32_t count = 0;
};

Groups group_by_component_and_label(const Components& components, const Labels& labels);

/// The pairs of labelled nodes of one component. Nodes without a label are in no pair, because the class of such a pair
/// is not known.
PairUniverse universe_within(const Components& components, const Labels& labels);

}  // namespace gir
