#include "anchor_set_stack.h"
#include "gir/core/error.h"

namespace gir {
namespace {

template <Hops max_hops>
std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  if (inputs.anchors.empty()) throw UserError("no anchors [agnn requires at least one]");
  const std::vector<NodeId> anchors(inputs.anchors.begin(), inputs.anchors.end());
  return std::make_unique<AnchorSetStack>(
      inputs, options,
      AnchorSetDesign{
          .sets = [=](std::uint64_t) { return singletons(anchors); }, .redraw = false, .max_hops = max_hops});
}

const Registered<ModelEntry> fast{{
    .name = "agnn-f",
    .summary = "A-GNN: P-GNN's layer with fixed single anchors, distances truncated at 2 hops",
    .along_edges = false,
    .settings = kPublishedSettings,
    .make = make<kFastHops>,
}};

const Registered<ModelEntry> exact{{
    .name = "agnn-e",
    .summary = "A-GNN with exact distances",
    .along_edges = false,
    .settings = kPublishedSettings,
    .make = make<kMaxHops>,
}};

}  // namespace
}  // namespace gir
