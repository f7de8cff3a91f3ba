#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/graph/structure.h"
#include "gir/pairs/pair_features.h"
#include "walk_columns.h"

namespace gir {
namespace {

using namespace walk_columns;

constexpr std::int64_t kPairsPerBlock = 1 << 9;
constexpr std::size_t kLocalSteps = 4;       ///< from each of the two nodes: walks of up to twice as many in all
constexpr std::int64_t kEdgesPerStep = 512;  ///< that are followed
constexpr std::size_t kKept = 128;           ///< nodes that a step begins from, those of the greatest probability
static_assert(2 * kLocalSteps == kLastStep, "windows of longer walks stay 0");

/// A node, and the probability that a walk of some number of steps ends there.
struct Visit {
  NodeId node;
  float probability;
};

/// Where walks from one node are after 0 to kLocalSteps steps, by node number.
using Profile = std::array<std::vector<Visit>, kLocalSteps + 1>;

/// Follows walks from single nodes, as far as its bounds allow: a bounded cost and the degree of the node.
class Walker {
 public:
  explicit Walker(const Graph& graph) : graph_(graph), sums_(graph.num_nodes(), 0.0F) {}

  void follow(NodeId source, Profile& profile) {
    profile[0].assign(1, {source, 1.0F});
    profile[1].clear();
    for (const NodeId w : graph_.out_neighbors(source)) profile[1].push_back({w, share(profile[0].front())});
    for (std::size_t step = 2; step <= kLocalSteps; ++step) make_step(profile[step - 1], profile[step]);
  }

 private:
  /// The likeliest nodes first, until the edges that may be followed are used up: a hub, whose neighbours would all be
  /// unlikely, comes late or not at all. Where a hub comes first, some of its neighbours stand for all of them.
  void make_step(const std::vector<Visit>& from, std::vector<Visit>& to) {
    order_.clear();
    for (const Visit& visit : from) order_.push_back({visit.node, share(visit)});
    keep_likeliest(order_);
    std::sort(order_.begin(), order_.end(), is_likelier);
    to.clear();
    EdgeId left = kEdgesPerStep;
    const auto go = [&](NodeId w, float probability) {
      if (sums_[w] == 0) to.push_back({w, 0});
      sums_[w] += probability;
      --left;
    };
    for (const Visit& visit : order_) {
      const auto neighbors = graph_.out_neighbors(visit.node);
      if (std::ssize(neighbors) <= left) {
        for (const NodeId w : neighbors) go(w, visit.probability);
      } else if (left == kEdgesPerStep) {
        const int bits = std::bit_width(neighbors.size() / kKept);
        const float stands_for = visit.probability * static_cast<float>(std::uint64_t{1} << bits);
        for (const NodeId w : neighbors) {
          if (is_drawn(w, bits)) go(w, stands_for);
        }
      }
    }
    for (Visit& visit : to) visit.probability = std::exchange(sums_[visit.node], 0.0F);
    keep_likeliest(to);
    std::sort(to.begin(), to.end(), [](const Visit& a, const Visit& b) { return a.node < b.node; });
  }

  static void keep_likeliest(std::vector<Visit>& visits) {
    if (visits.size() <= kKept) return;
    std::nth_element(visits.begin(), visits.begin() + kKept, visits.end(), is_likelier);
    visits.resize(kKept);
  }

  /// Whether a node is among one in 2^bits, the same ones for every hub: so that walks from two sides can meet.
  static bool is_drawn(NodeId node, int bits) {
    const auto mixed = static_cast<std::uint64_t>(node + 1) * 0x9E3779B97F4A7C15U;
    return bits == 0 || mixed >> (64 - bits) == 0;
  }

  static bool is_likelier(const Visit& a, const Visit& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.node < b.node;
  }

  /// The probability of going on to any one neighbour.
  float share(const Visit& visit) const {
    return visit.probability / static_cast<float>(std::max<EdgeId>(1, graph_.out_degree(visit.node)));
  }

  const Graph& graph_;
  Array<float> sums_;         ///< by node; all 0 between steps
  std::vector<Visit> order_;  ///< with their shares as probabilities
};

/// The columns of `walks` at a bounded cost per pair, but for the degrees of its nodes: walks are followed from both
/// nodes and meet in the middle.
class LocalWalks : public PairFeature {
 public:
  explicit LocalWalks(const PairInputs& inputs) {
    for (std::int64_t view = 0; view < inputs.graphs.size(); ++view) views_.emplace_back(inputs.graphs[view]);
  }

  std::int64_t width() const override { return kWidth; }

  void describe(std::span<const NodePair> pairs, std::int64_t number, float* out, std::int64_t stride) const override {
    ensure(number >= 0 && number < std::ssize(views_), "no such view of the graph");
    const WalkView& view = views_[static_cast<std::size_t>(number)];
    parallel_for(std::ssize(pairs), kPairsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      Walker walker(view.graph());
      Profile from_u;
      Profile from_v;
      std::optional<NodeId> last;  // whose walks are in from_u
      for (std::int64_t i = begin; i < end; ++i) {
        const auto [u, v] = pairs[static_cast<std::size_t>(i)];
        if (last != u) walker.follow(u, from_u);
        last = u;
        walker.follow(v, from_v);
        write(meet(view.graph(), u, v, from_u, from_v), view.structural_of(u), view.structural_of(v), out + i * stride);
      }
    });
  }

 private:
  /// Σ_w P^i[u, w] P^j[v, w] / d(w): the entry S^(i+j)[u, v] without the degrees of u and v.
  static double product(const Graph& graph, const std::vector<Visit>& a, const std::vector<Visit>& b) {
    double sum = 0;
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() && y != b.end()) {
      if (x->node < y->node) {
        ++x;
      } else if (y->node < x->node) {
        ++y;
      } else {
        sum += static_cast<double>(x->probability) * y->probability /
               static_cast<double>(std::max<EdgeId>(1, graph.out_degree(x->node)));
        ++x;
        ++y;
      }
    }
    return sum;
  }

  static PairWalks meet(const Graph& graph, NodeId u, NodeId v, const Profile& from_u, const Profile& from_v) {
    PairWalks walks;
    walks.root_u = std::sqrt(static_cast<double>(std::max<EdgeId>(1, graph.out_degree(u))));
    walks.root_v = std::sqrt(static_cast<double>(std::max<EdgeId>(1, graph.out_degree(v))));
    double weight = 1 - kDamping;
    for (std::size_t step = 1; step <= 2 * kLocalSteps; ++step) {
      const std::size_t near = step / 2;
      const std::size_t far = step - near;
      weight *= kDamping;
      // Bounds may cut the two halves of a walk differently: the mean of both ways does not depend on the order.
      double across = product(graph, from_u[near], from_v[far]);
      if (near != far) across = (across + product(graph, from_u[far], from_v[near])) / 2;
      across *= walks.root_u * walks.root_v;
      walks.page_rank += weight * across;
      if (across > 0 && walks.shortest == 0) walks.shortest = 1.0 / static_cast<double>(step);
      if (step < static_cast<std::size_t>(kFirstStep)) continue;
      const auto record = static_cast<std::size_t>(record_of(static_cast<std::int64_t>(step)));
      walks.mean[record] = across;
      walks.first[record] = product(graph, from_u[near], from_u[far]) * walks.root_u * walks.root_u;
      walks.second[record] = product(graph, from_v[near], from_v[far]) * walks.root_v * walks.root_v;
    }
    for (std::size_t i = 0; i < kBalls.size() && static_cast<std::size_t>(kBalls[i]) <= kLocalSteps; ++i) {
      walks.ball_u[i] = static_cast<double>(from_u[static_cast<std::size_t>(kBalls[i])].size());
      walks.ball_v[i] = static_cast<double>(from_v[static_cast<std::size_t>(kBalls[i])].size());
    }
    return walks;
  }

  std::vector<WalkView> views_;
};

const Registered<PairFeatureEntry> entry{{
    .name = "local-walks",
    .summary =
        "the columns of walks for large graphs: walks of 2 to 8 steps along the likeliest edges alone, at nearly the "
        "same cost for every pair",
    .sees_own_edge = true,
    .make = [](const PairInputs& inputs) -> std::unique_ptr<PairFeature> {
      return std::make_unique<LocalWalks>(inputs);
    },
}};

}  // namespace
}  // namespace gir
