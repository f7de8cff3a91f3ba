#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gir/core/random.h"
#include "gir/trees/boosted_trees.h"

namespace gir {

/// InternalError where the rows do not have the columns they claim, or where a feature is NaN.
void ensure_features(const FeatureRows& rows);

/// `chosen` of the numbers 0 .. count - 1, drawn without replacement, ascending.
std::vector<std::int32_t> draw_ascending(std::int64_t count, std::int64_t chosen, const RandomStream& stream);

/// The edges between the bins of ascending `values`, at most `max_bins` - 1: each lies between two neighbouring
/// distinct values. Every distinct value has a bin of its own if there are enough bins; otherwise the bins hold about
/// the same number of values.
std::vector<float> bin_edges(std::span<const float> values, std::int64_t max_bins);

/// Features by bin, one byte each, column-major: trees are grown column by column. A value is in the first bin whose
/// edge is not below it, so that `bin <= b` and `value <= edge(b)` are the same.
class FeatureBins {
 public:
  FeatureBins(const FeatureRows& rows, std::int64_t max_bins, std::uint64_t seed);

  std::int64_t columns() const { return static_cast<std::int64_t>(edges_.size()); }
  const std::uint8_t* column(std::int64_t column) const { return bins_.data() + column * rows_; }
  std::int64_t num_bins(std::int64_t column) const {
    return static_cast<std::int64_t>(edges_[static_cast<std::size_t>(column)].size()) + 1;
  }
  float edge(std::int64_t column, std::int64_t bin) const {
    return edges_[static_cast<std::size_t>(column)][static_cast<std::size_t>(bin)];
  }

 private:
  std::int64_t rows_;
  std::vector<std::vector<float>> edges_;
  std::vector<std::uint8_t> bins_;
};

}  // namespace gir
