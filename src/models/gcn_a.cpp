#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gcn_model(inputs, options, anchor_labelled_input);
}

const Registered<ModelEntry> entry{{
    .name = "gcn-a",
    .summary = "gcn with one-hot labels on the anchors",
    .uses_anchors = true,
    .inductive = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
