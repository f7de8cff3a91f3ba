#include "gir/graph/layout.h"

#include <algorithm>
#include <cmath>

#include "gir/core/parallel.h"
#include "pivot_positions.h"
#include "quad_tree.h"

namespace gir {
namespace {

constexpr std::int64_t kGrain = 1024;
// Names and values follow ForceAtlas2.
constexpr float kOpening = 0.9f;  // Barnes-Hut: width / distance up to which a square counts as one point
constexpr float kRepulsion = 2;
constexpr float kGravity = 0.02f;  // grows with the distance from the origin: keeps small components near the large one
constexpr double kTolerance = 1;   // how much swinging is accepted for speed
constexpr double kMaxSpeedGrowth = 1.5;

int default_steps(std::int64_t nodes) {
  if (nodes <= 5'000) return 300;
  return nodes <= 50'000 ? 150 : 60;
}

/// The force-directed layout: nodes repel each other, edges attract, and gravity pulls towards the origin.
class Forces {
 public:
  explicit Forces(const Graph& graph)
      : graph_(graph), positions_(pivot_positions(graph)), before_(positions_.size()), now_(positions_.size()) {
    for (NodeId node = 0; node < graph.num_nodes(); ++node) {
      masses_.push_back(static_cast<float>(total_degree(graph, node) + 1));
    }
  }

  void step() {
    const QuadTree tree(positions_, masses_);
    parallel_for(graph_.num_nodes(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t node = begin; node < end; ++node) {
        now_[static_cast<std::size_t>(node)] = force_on(static_cast<NodeId>(node), tree);
      }
    });
    move();
    std::swap(before_, now_);
  }

  const std::vector<Vector2>& positions() const { return positions_; }

 private:
  Vector2 force_on(NodeId node, const QuadTree& tree) const {
    const auto place = static_cast<std::size_t>(node);
    const Vector2& here = positions_[place];
    Vector2 force = kRepulsion * masses_[place] * tree.push(here, kOpening);
    const auto pull = [&](std::span<const NodeId> others) {
      for (const NodeId other : others) force += positions_[static_cast<std::size_t>(other)] - here;
    };
    pull(graph_.out_neighbors(node));
    if (graph_.directed()) pull(graph_.in_neighbors(node));
    return force + -kGravity * masses_[place] * here;
  }

  /// Moves nodes along their forces, adapting the speed: a node whose force keeps its direction from step to step moves
  /// far, a node that swings back and forth moves slowly.
  void move() {
    double swinging = 0, traction = 0;
    std::vector<float> swings(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      swings[i] = std::sqrt((now_[i] - before_[i]).square());
      swinging += static_cast<double>(masses_[i]) * swings[i];
      traction += 0.5 * static_cast<double>(masses_[i]) * std::sqrt((now_[i] + before_[i]).square());
    }
    const double wanted = swinging > 0 ? kTolerance * traction / swinging : speed_;
    speed_ = std::min(wanted, speed_ * kMaxSpeedGrowth);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const auto speed = static_cast<float>(speed_ / (1 + std::sqrt(speed_ * masses_[i] * swings[i])));
      positions_[i] += speed * now_[i];
    }
  }

  const Graph& graph_;
  std::vector<Vector2> positions_;
  std::vector<Vector2> before_;  ///< forces of the previous step
  std::vector<Vector2> now_;     ///< forces of this step
  std::vector<float> masses_;
  double speed_ = 0.1;
};

}  // namespace

NodePositions lay_out(const Graph& graph, const LayoutOptions& options) {
  Forces forces(graph);
  const int steps = options.steps > 0 ? options.steps : default_steps(graph.num_nodes());
  for (int step = 0; step < steps; ++step) forces.step();
  NodePositions result;
  for (const Vector2& position : forces.positions()) {
    result.x.push_back(position.x);
    result.y.push_back(position.y);
  }
  return result;
}

}  // namespace gir
