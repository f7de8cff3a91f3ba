#include <algorithm>
#include <cstdlib>

#include "gir/anchors/distances.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/pairs/pair_features.h"

namespace gir {
namespace {

constexpr std::int64_t kWidth = 5;
constexpr std::int64_t kPairsPerBlock = 1 << 10;

/// Bounds of the distance of two nodes from their distances to the anchors: in an undirected graph, the triangle
/// inequality gives |d(a, u) - d(a, v)| <= d(u, v) <= d(a, u) + d(a, v) for every anchor a. Five numbers: the tightest
/// lower and upper bound as 1 / (1 + bound), the mean of |d(a, u) - d(a, v)|, and the shares of anchors that reach both
/// nodes and exactly one of them.
class AnchorDistances : public PairFeature {
 public:
  explicit AnchorDistances(const PairInputs& inputs) {
    for (std::int64_t view = 0; view < inputs.graphs.size(); ++view) {
      tables_.push_back(source_distances(inputs.graphs[view], inputs.anchors, {.search = inputs.distance_search}));
    }
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t view, float* out, std::int64_t stride) const override {
    ensure(view >= 0 && view < std::ssize(tables_), "no such view of the graph");
    const DistanceTable& table = tables_[static_cast<std::size_t>(view)];
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const NodePair pair = pairs[static_cast<std::size_t>(i)];
        write(table.row(pair.first), table.row(pair.second), out + i * stride);
      }
    });
  }

 private:
  /// `first` and `second` are the distances of the two nodes from all anchors.
  static void write(std::span<const Hops> first, std::span<const Hops> second, float* row) {
    int both = 0;
    int one = 0;
    int lower = 0;
    int sum = 0;
    int upper = 2 * kMaxHops;
    for (std::size_t a = 0; a < first.size(); ++a) {
      const bool reached_first = first[a] != kNotReached;
      const bool reached_second = second[a] != kNotReached;
      one += reached_first != reached_second;
      if (!reached_first || !reached_second) continue;
      ++both;
      const int difference = std::abs(first[a] - second[a]);
      sum += difference;
      lower = std::max(lower, difference);
      upper = std::min(upper, first[a] + second[a]);
    }
    const auto anchors = static_cast<float>(std::max<std::size_t>(1, first.size()));
    row[0] = both == 0 ? 0 : 1 / (1 + static_cast<float>(lower));
    row[1] = both == 0 ? 0 : 1 / (1 + static_cast<float>(upper));
    row[2] = both == 0 ? 0 : static_cast<float>(sum) / static_cast<float>(both);
    row[3] = static_cast<float>(both) / anchors;
    row[4] = static_cast<float>(one) / anchors;
  }

  std::vector<DistanceTable> tables_;  ///< one per view
};

const Registered<PairFeatureEntry> entry{{
    .name = "anchor-distances",
    .summary = "bounds of the distance of two nodes from their distances to the anchors",
    .uses_anchors = true,
    .sees_own_edge = true,
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> {
      return std::make_unique<AnchorDistances>(inputs);
    },
}};

}  // namespace
}  // namespace gir
