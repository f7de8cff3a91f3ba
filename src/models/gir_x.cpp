#include "message_stack.h"

namespace gir {
namespace {

/// What is learnt about pairs is learnt about all nodes, so every node may have a label of its own; it begins as
/// nothing and grows where the anchors do not explain enough. Classes are learnt from some nodes, and a label of one
/// of the others would never be learnt: there the anchors' labels are all.
NodeInput input_of(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input = anchor_labelled_input(inputs, options, graph);
  if (inputs.classes == 0) input.add_one_hot_of_all(/*from_zero=*/true);
  return input;
}

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gir_model(inputs, options, input_of);
}

/// docs/gir-x.md says what each of the settings is for, and how they were chosen.
const Registered<ModelEntry> entry{{
    .name = "gir-x",
    .summary = "gir-a with what the graph says about nodes and pairs, trained on edges it cannot see",
    .uses_anchors = true,
    .frontier = true,
    .inductive = false,
    .settings = {{"structural", "true"},
                 {"jump", "true"},
                 {"norm", "batch"},
                 {"dropout", "0.5"},
                 {"weight-decay", "1e-05"},
                 {"hidden-parts", "10"},
                 {"pair-features", "common-neighbors,anchor-distances"}},
    .make = make,
}};

}  // namespace
}  // namespace gir
