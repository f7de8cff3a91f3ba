#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gcn_model(inputs, options, plain_input);
}

const Registered<ModelEntry> entry{{
    .name = "gcn",
    .summary = "graph convolutional network: mean over a node and its neighbours",
    .uses_anchors = false,
    .inductive = true,
    .make = make,
}};

}  // namespace
}  // namespace gir
