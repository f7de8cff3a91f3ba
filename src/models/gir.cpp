#include "message_stack.h"

namespace gir {
namespace {

std::unique_ptr<Model> make(const ModelInputs& inputs, const ModelOptions& options) {
  return make_gir_model(inputs, options, plain_input);
}

const Registered<ModelEntry> entry{{
    .name = "gir",
    .summary = "GIR: passes messages only along paths that start at the anchors",
    .uses_anchors = true,
    .frontier = true,
    .inductive = true,
    .make = make,
}};

}  // namespace
}  // namespace gir
