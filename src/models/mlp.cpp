#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  const auto view = [&](const Graph& graph) { return StackView{.input = plain_input(inputs, options, graph)}; };
  return std::make_unique<MessageStack>(inputs, options, StackDesign{.view = view});
}

const Registered<ModelEntry> entry{{
    .name = "mlp",
    .summary = "MLP on the features of each node: gir without anchors",
    .uses_anchors = false,
    .inductive = true,
    .along_edges = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
