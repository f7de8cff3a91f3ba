#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/pairs/pair_features.h"
#include "walk_columns.h"

namespace gir {
namespace {

using namespace walk_columns;

constexpr std::int64_t kSourcesPerBlock = 16;  ///< whose walks are computed side by side
constexpr std::int64_t kPairsPerBlock = 1 << 10;
constexpr float kScale = 0x1p60F;  ///< keeps small probabilities out of the subnormal numbers, which are slow

/// Exact walk profiles. All walks into a source are followed through the whole graph, so a source costs O(kSteps *
/// edges), however many pairs it is in.
class Walks : public PairFeature {
 public:
  explicit Walks(const PairInputs& inputs) {
    for (std::int64_t view = 0; view < inputs.graphs.size(); ++view) views_.emplace_back(inputs.graphs[view]);
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t number, float* out, std::int64_t stride) const override {
    ensure(number >= 0 && number < std::ssize(views_), "no such view of the graph");
    const WalkView& view = views_[static_cast<std::size_t>(number)];
    const Request request(pairs, view.graph().num_nodes());
    const Followed followed = follow(view.graph(), request);
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto [u, v] = pairs[static_cast<std::size_t>(i)];
        write(walks_of(view.graph(), u, v, request, followed, i), view.structural_of(u), view.structural_of(v),
              out + i * stride);
      }
    });
  }

 private:
  /// The nodes that walks are followed into, and the pairs that are read off on the way, by their first node.
  struct Request {
    Request(std::span<const NodePair> pairs, std::int64_t nodes) : position(nodes, -1) {
      for (const auto& [u, v] : pairs) position[u] = position[v] = 0;
      for (NodeId v = 0; v < nodes; ++v) {
        if (position[v] < 0) continue;
        position[v] = static_cast<std::int32_t>(sources.size());
        sources.push_back(v);
      }
      first_pair.assign(sources.size() + 1, 0);
      for (const auto& [u, v] : pairs) ++first_pair[static_cast<std::size_t>(position[u]) + 1];
      for (std::size_t s = 0; s < sources.size(); ++s) first_pair[s + 1] += first_pair[s];
      std::vector<std::int64_t> next(first_pair.begin(), first_pair.end() - 1);
      pairs_of_sources.resize(pairs.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto source = static_cast<std::size_t>(position[pairs[i].first]);
        pairs_of_sources[static_cast<std::size_t>(next[source]++)] = {static_cast<std::int64_t>(i), pairs[i].second};
      }
    }

    struct Read {
      std::int64_t pair;
      NodeId other;
    };

    Array<std::int32_t> position;  ///< of every node among the sources, or -1
    std::vector<NodeId> sources;
    std::vector<std::int64_t> first_pair;  ///< of every source in `pairs_of_sources`
    std::vector<Read> pairs_of_sources;
  };

  /// What was read while walks were followed. Probabilities are those of walks that end in the pair's first node.
  struct Followed {
    Followed(std::size_t sources, std::size_t pairs)
        : returns(static_cast<std::int64_t>(sources) * kRecords, 0),
          into_first(static_cast<std::int64_t>(pairs) * kRecords, 0),
          page_rank(static_cast<std::int64_t>(pairs), 0),
          shortest(static_cast<std::int64_t>(pairs), 0),
          balls(static_cast<std::int64_t>(sources) * std::ssize(kBalls), 0) {}

    Array<double> returns;     ///< [sources, kRecords]
    Array<double> into_first;  ///< [pairs, kRecords]: from the second node
    Array<double> page_rank;   ///< [pairs]
    Array<std::int32_t> shortest;
    Array<double> balls;  ///< [sources, kBalls]
  };

  /// The nodes from which a walk of up to the current number of steps ends in each source of a block.
  class Reached {
   public:
    explicit Reached(std::int64_t nodes) : bits_(nodes, 0) {}

    void add(const Array<float>& now) {
      for (std::int64_t v = 0; v < bits_.size(); ++v) {
        const float* row = now.begin() + v * kSourcesPerBlock;
        std::uint32_t found = 0;
        for (std::int64_t j = 0; j < kSourcesPerBlock; ++j) found |= std::uint32_t{row[j] > 0} << j;
        for (std::uint32_t left = found & ~bits_[v]; left != 0; left &= left - 1) ++counts_[std::countr_zero(left)];
        bits_[v] |= found;
      }
    }

    double count(std::int64_t source) const { return counts_[static_cast<std::size_t>(source)]; }

   private:
    Array<std::uint32_t> bits_;
    std::array<double, kSourcesPerBlock> counts_ = {};
  };

  static Followed follow(const Graph& graph, const Request& request) {
    Followed followed(request.sources.size(), request.pairs_of_sources.size());
    parallel_for(std::ssize(request.sources), kSourcesPerBlock, [&](std::int64_t begin, std::int64_t end) {
      Array<float> now(graph.num_nodes() * kSourcesPerBlock, 0.0F);
      Array<float> next(graph.num_nodes() * kSourcesPerBlock);
      Reached reached(graph.num_nodes());
      for (std::int64_t s = begin; s < end; ++s) {
        now[request.sources[static_cast<std::size_t>(s)] * kSourcesPerBlock + s - begin] = kScale;
      }
      reached.add(now);
      double weight = 1 - kDamping;
      for (std::int64_t step = 1; step <= kSteps; ++step) {
        make_step(graph, now, next);
        std::swap(now, next);
        weight *= kDamping;
        if (step <= kBalls.back()) reached.add(now);
        if (const auto ball = std::find(kBalls.begin(), kBalls.end(), step); ball != kBalls.end()) {
          for (std::int64_t s = begin; s < end; ++s) {
            followed.balls[s * std::ssize(kBalls) + (ball - kBalls.begin())] = reached.count(s - begin);
          }
        }
        for (std::int64_t s = begin; s < end; ++s) read(request, s, s - begin, step, weight, now, followed);
      }
    });
    return followed;
  }

  /// next[v] = mean of now[w] over the neighbours w of v: the probabilities that a walk of one more step ends in the
  /// sources.
  static void make_step(const Graph& graph, const Array<float>& now, Array<float>& next) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      std::array<float, kSourcesPerBlock> sum = {};
      const auto neighbors = graph.out_neighbors(v);
      for (const NodeId w : neighbors) {
        const float* row = now.begin() + w * kSourcesPerBlock;
        for (std::size_t j = 0; j < kSourcesPerBlock; ++j) sum[j] += row[j];
      }
      const float share = neighbors.empty() ? 0.0F : 1.0F / static_cast<float>(neighbors.size());
      float* row = next.begin() + v * kSourcesPerBlock;
      for (std::size_t j = 0; j < kSourcesPerBlock; ++j) row[j] = sum[j] * share;
    }
  }

  static void read(const Request& request, std::int64_t source, std::int64_t column, std::int64_t step, double weight,
                   const Array<float>& now, Followed& followed) {
    const auto probability = [&](NodeId from) {
      return static_cast<double>(now[from * kSourcesPerBlock + column]) / kScale;
    };
    const auto s = static_cast<std::size_t>(source);
    const bool recorded = step >= kFirstStep;
    if (recorded) followed.returns[source * kRecords + record_of(step)] += probability(request.sources[s]);
    for (std::int64_t i = request.first_pair[s]; i < request.first_pair[s + 1]; ++i) {
      const Request::Read& read = request.pairs_of_sources[static_cast<std::size_t>(i)];
      const double into_first = probability(read.other);
      if (recorded) followed.into_first[read.pair * kRecords + record_of(step)] += into_first;
      followed.page_rank[read.pair] += weight * into_first;
      if (into_first > 0 && followed.shortest[read.pair] == 0) {
        followed.shortest[read.pair] = static_cast<std::int32_t>(step);
      }
    }
  }

  static PairWalks walks_of(const Graph& graph, NodeId u, NodeId v, const Request& request, const Followed& followed,
                            std::int64_t pair) {
    PairWalks walks;
    walks.root_u = std::sqrt(static_cast<double>(std::max<EdgeId>(1, graph.out_degree(u))));
    walks.root_v = std::sqrt(static_cast<double>(std::max<EdgeId>(1, graph.out_degree(v))));
    const double to_mean = walks.root_v / walks.root_u;
    for (std::int64_t i = 0; i < kRecords; ++i) {
      const auto record = static_cast<std::size_t>(i);
      walks.mean[record] = followed.into_first[pair * kRecords + i] * to_mean;
      walks.first[record] = followed.returns[request.position[u] * kRecords + i];
      walks.second[record] = followed.returns[request.position[v] * kRecords + i];
    }
    for (std::size_t i = 0; i < kBalls.size(); ++i) {
      const auto balls = [&](NodeId node) {
        return followed.balls[request.position[node] * std::ssize(kBalls) + static_cast<std::int64_t>(i)];
      };
      walks.ball_u[i] = balls(u);
      walks.ball_v[i] = balls(v);
    }
    walks.page_rank = followed.page_rank[pair] * to_mean;
    const std::int32_t shortest = followed.shortest[pair];
    walks.shortest = shortest > 0 ? 1.0 / shortest : 0;
    return walks;
  }

  std::vector<WalkView> views_;
};

const Registered<PairFeatureEntry> entry{{
    .name = "walks",
    .summary = "probabilities of random walks of 2 to 16 steps between the two nodes and back to each, personalised "
               "PageRank, structural features of both; exact, for graphs of some thousand nodes",
    .sees_own_edge = true,
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> { return std::make_unique<Walks>(inputs); },
}};

}  // namespace
}  // namespace gir
