#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gir_model(inputs, options, anchor_labelled_input);
}

const Registered<ModelEntry> entry{{
    .name = "gir-a",
    .summary = "gir with one-hot labels on the anchors",
    .uses_anchors = true,
    .frontier = true,
    .inductive = false,
    .make = make,
}};

}  // namespace
}  // namespace gir
