#include "message_stack.h"

namespace gir {
namespace {

const Registered<ModelEntry> plain{{
    .name = "gir",
    .summary = "GIR: passes messages only along paths that start at the anchors",
    .uses_anchors = true,
    .frontier = true,
    .inductive = true,
    .make = make_stack<make_gir_model, plain_input>,
}};

const Registered<ModelEntry> gir_a{{
    .name = "gir-a",
    .summary = "gir with one-hot labels on the anchors",
    .uses_anchors = true,
    .frontier = true,
    .inductive = false,
    .make = make_stack<make_gir_model, anchor_labelled_input>,
}};

const Registered<ModelEntry> gir_o{{
    .name = "gir-o",
    .summary = "gir with one-hot labels on all nodes",
    .uses_anchors = true,
    .frontier = true,
    .inductive = false,
    .make = make_stack<make_gir_model, node_labelled_input>,
}};

}  // namespace
}  // namespace gir
