#include "feature_bins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kEdgeRows = 200'000;  ///< edges of quantiles hardly change with more rows
constexpr std::int64_t kRowGrain = 256;      ///< a block of rows stays in the cache while its columns are read

/// A float in [low, high), near the middle.
float between(float low, float high) {
  const auto middle = static_cast<float>((static_cast<double>(low) + static_cast<double>(high)) / 2);
  return middle < high ? middle : low;  // neighbouring floats, or infinite ones
}

}  // namespace

void ensure_features(const FeatureRows& rows) {
  ensure(rows.columns > 0 && rows.rows() * rows.columns == static_cast<std::int64_t>(rows.values.size()),
         "rows of features have their columns");
  parallel_for(static_cast<std::int64_t>(rows.values.size()), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    int nan = 0;
    for (std::int64_t i = begin; i < end; ++i) nan |= std::isnan(rows.values[static_cast<std::size_t>(i)]);
    ensure(nan == 0, "features are numbers");
  });
}

std::vector<std::int32_t> draw_ascending(std::int64_t count, std::int64_t chosen, const RandomStream& stream) {
  std::vector<std::int32_t> drawn(static_cast<std::size_t>(chosen));
  if (chosen == count) {
    std::iota(drawn.begin(), drawn.end(), 0);
    return drawn;
  }
  // Knuth's selection sampling: every number is taken with probability (still wanted) / (numbers left).
  std::size_t taken = 0;
  for (std::int64_t number = 0; taken < drawn.size(); ++number) {
    const auto left = static_cast<std::uint64_t>(count - number);
    if (stream.below(static_cast<std::uint64_t>(number), left) < drawn.size() - taken) {
      drawn[taken++] = static_cast<std::int32_t>(number);
    }
  }
  return drawn;
}

std::vector<float> bin_edges(std::span<const float> values, std::int64_t max_bins) {
  std::vector<std::size_t> ends;  // of the runs of equal values
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i - 1] < values[i]) ends.push_back(i);
  }
  std::vector<float> edges;
  auto bins_left = static_cast<std::size_t>(max_bins);
  std::size_t begin = 0;  // of the current bin
  for (std::size_t run = 0; run < ends.size() && bins_left > 1; ++run) {
    const std::size_t end = ends[run];
    const bool enough_bins = ends.size() - run < bins_left;  // for every later value to have its own
    if (!enough_bins && (end - begin) * bins_left < values.size() - begin) continue;
    edges.push_back(between(values[end - 1], values[end]));
    begin = end;
    --bins_left;
  }
  return edges;
}

FeatureBins::FeatureBins(const FeatureRows& rows, std::int64_t max_bins, std::uint64_t seed)
    : rows_(rows.rows()),
      edges_(static_cast<std::size_t>(rows.columns)),
      bins_(static_cast<std::size_t>(rows_ * rows.columns)) {
  const std::vector<std::int32_t> sample =
      draw_ascending(rows_, std::min(rows_, kEdgeRows), RandomStream(seed, "rows of bin edges"));
  parallel_for(rows.columns, 1, [&](std::int64_t column, std::int64_t) {
    std::vector<float> values(sample.size());
    for (std::size_t i = 0; i < sample.size(); ++i) values[i] = rows.row(sample[i])[column];
    std::sort(values.begin(), values.end());
    edges_[static_cast<std::size_t>(column)] = bin_edges(values, max_bins);
  });
  parallel_for(rows_, kRowGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t column = 0; column < rows.columns; ++column) {
      const std::vector<float>& edges = edges_[static_cast<std::size_t>(column)];
      for (std::int64_t i = begin; i < end; ++i) {
        const auto bin = std::lower_bound(edges.begin(), edges.end(), rows.row(i)[column]) - edges.begin();
        bins_[static_cast<std::size_t>(column * rows_ + i)] = static_cast<std::uint8_t>(bin);
      }
    }
  });
}

}  // namespace gir
