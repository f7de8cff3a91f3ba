#include "anchor_set_stack.h"

namespace gir {
namespace {

template <Hops max_hops>
std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  const std::int64_t nodes = inputs.graph.num_nodes();
  const std::uint64_t seed = inputs.seed;
  return std::make_unique<AnchorSetStack>(
      inputs, options,
      AnchorSetDesign{.sets = [=](std::uint64_t draw) { return draw_anchor_sets(nodes, seed, draw); },
                      .redraw = true,
                      .max_hops = max_hops});
}

const Registered<ModelEntry> fast{{
    .name = "pgnn-f",
    .summary = "P-GNN: messages from random anchor sets weighted by distance, truncated at 2 hops",
    .uses_anchors = false,
    .along_edges = false,
    .settings = kPublishedSettings,
    .make = make<kFastHops>,
}};

const Registered<ModelEntry> exact{{
    .name = "pgnn-e",
    .summary = "P-GNN with exact distances",
    .uses_anchors = false,
    .along_edges = false,
    .settings = kPublishedSettings,
    .make = make<kMaxHops>,
}};

}  // namespace
}  // namespace gir
