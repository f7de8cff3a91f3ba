#include "gir/anchors/position_features.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gir/anchors/nearest_members.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kNodesPerBlock = 1 << 10;

struct Moments {
  double sum = 0;
  double squares = 0;

  void add(double value, double times) {
    sum += times * value;
    squares += times * value * value;
  }
};

/// value -> (value - shift) * scale
struct Scaling {
  double shift = 0;
  double scale = 0;

  float operator()(double value) const { return static_cast<float>((value - shift) * scale); }
};

Scaling scaling_of(const Moments& moments, double count) {
  const double mean = moments.sum / count;
  const double variance = moments.squares / count - mean * mean;
  return {.shift = mean, .scale = variance > 1e-12 ? 1 / std::sqrt(variance) : 1};
}

/// The values of both kinds of columns for every distance that occurs. Few distances occur often, so that the moments
/// are sums over counts, the same on any number of threads.
struct Scale {
  std::vector<float> closeness = {};  ///< [1 + largest distance]
  std::vector<float> logarithm = {};
  float no_closeness = 0;  ///< where there is no path
  float no_logarithm = 0;
};

Scale learn_scale(const DistanceTable& table) {
  std::vector<std::int64_t> counts;
  for (const Hops hops : table.hops) {
    if (hops == kNotReached) continue;
    if (hops >= std::ssize(counts)) counts.resize(static_cast<std::size_t>(hops) + 1, 0);
    ++counts[static_cast<std::size_t>(hops)];
  }
  Moments closeness;
  Moments logarithm;
  double reached = 0;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    closeness.add(1 / (1 + static_cast<double>(d)), static_cast<double>(counts[d]));
    logarithm.add(std::log1p(static_cast<double>(d)), static_cast<double>(counts[d]));
    reached += static_cast<double>(counts[d]);
  }
  const Scaling scale_closeness = scaling_of(closeness, std::max(1.0, reached));
  const Scaling scale_logarithm = scaling_of(logarithm, std::max(1.0, reached));
  // A node without a path is farther than any other.
  const double far = std::log1p(2 * static_cast<double>(counts.size()));
  Scale scale{.no_closeness = scale_closeness(0), .no_logarithm = scale_logarithm(far)};
  for (std::size_t d = 0; d < counts.size(); ++d) {
    scale.closeness.push_back(scale_closeness(1 / (1 + static_cast<double>(d))));
    scale.logarithm.push_back(scale_logarithm(std::log1p(static_cast<double>(d))));
  }
  return scale;
}

}  // namespace

NodeSets position_channels(std::span<const NodeId> anchors, std::int64_t count) {
  std::vector<std::vector<NodeId>> channels(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < anchors.size(); ++i) channels[i % channels.size()].push_back(anchors[i]);
  NodeSets sets;
  for (const auto& each : channels) sets.add(each);
  return sets;
}

DenseMatrix position_features(const Graph& given, const NodeSets& channels, const DistanceSearch& search) {
  std::optional<Graph> both_ways;
  if (given.directed()) both_ways = as_undirected(given);
  const Graph& graph = both_ways ? *both_ways : given;
  const DistanceTable table = set_distances(graph, channels, {.search = search});
  const Scale scale = learn_scale(table);
  const std::int64_t width = table.sources;
  DenseMatrix matrix{.rows = table.nodes, .columns = 2 * width, .values = Array<float>(table.nodes * 2 * width)};
  parallel_for(table.nodes, kNodesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      float* row = matrix.values.data() + v * 2 * width;
      for (std::int64_t c = 0; c < width; ++c) {
        const Hops hops = table.at(static_cast<NodeId>(v), c);
        const auto d = static_cast<std::size_t>(std::max<Hops>(0, hops));
        row[c] = hops == kNotReached ? scale.no_closeness : scale.closeness[d];
        row[width + c] = hops == kNotReached ? scale.no_logarithm : scale.logarithm[d];
      }
    }
  });
  return matrix;
}

}  // namespace gir
