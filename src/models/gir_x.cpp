#include "message_stack.h"

namespace gir {
namespace {

/// In pair tasks every node occurs in training pairs, so all nodes get a one-hot label. Its weights are initialised to
/// zero and grow where the anchors do not explain enough. In node classification the labels of nodes outside the
/// training set would hardly be trained, so only anchors are labelled.
NodeInput input_of(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input = anchor_labelled_input(inputs, options, graph);
  if (inputs.classes == 0) input.add_one_hot_of_all(/*zero_initialised=*/true);
  return input;
}

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gir_model(inputs, options, input_of);
}

/// docs/gir-x.md explains the settings and how they were selected.
const Registered<ModelEntry> entry{{
    .name = "gir-x",
    .summary = "gir-a with structural and pair features, trained on supervision edges removed from the message graph",
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
