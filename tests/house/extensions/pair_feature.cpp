#include <gir/pairs/pair_features.h>

#include <algorithm>
#include <cmath>

namespace {

/// The logarithms of the two degrees without the pair's own edge, the smaller one first.
class Degrees : public gir::PairFeature {
 public:
  explicit Degrees(const gir::PairInputs& inputs) : graphs_(inputs.graphs) {}

  std::int64_t width() const override { return 2; }

  void describe(std::span<const gir::NodePair> pairs, std::int64_t view, float* out,
                std::int64_t stride) const override {
    const gir::Graph& graph = graphs_[view];
    for (const gir::NodePair pair : pairs) {
      const std::int64_t own_edge = graph.has_arc(pair.first, pair.second) ? 1 : 0;
      const auto of = [&](gir::NodeId node) {
        return std::log1p(static_cast<float>(graph.out_degree(node) - own_edge));
      };
      out[0] = std::min(of(pair.first), of(pair.second));
      out[1] = std::max(of(pair.first), of(pair.second));
      out += stride;
    }
  }

 private:
  gir::GraphViews graphs_;
};

const gir::Registered<gir::PairFeatureEntry> degrees{{
    .name = "outside-degrees",
    .summary = "the degrees of the two nodes",
    .make = [](const gir::PairInputs& inputs) -> std::unique_ptr<gir::PairFeature> {
      return std::make_unique<Degrees>(inputs);
    },
}};

}  // namespace
