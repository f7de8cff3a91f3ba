#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gcn_model(inputs, options, node_labelled_input);
}

const Registered<ModelEntry> entry{{
    .name = "gcn-o",
    .summary = "gcn with one-hot labels on all nodes",
    .uses_anchors = false,
    .inductive = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
