#include "message_stack.h"

namespace gir {
namespace {

const Registered<ModelEntry> gcn_3{{
    .name = "gcn-3",
    .summary = "gcn with 3 layers, an expert of the paper's fusion",
    .uses_anchors = false,
    .inductive = true,
    .settings = {{"layers", "3"}, {"seed-stream", "gcn-3"}},
    .make = make_stack<make_gcn_model, plain_input>,
}};

const Registered<ModelEntry> gcn_5{{
    .name = "gcn-5",
    .summary = "gcn with 5 layers, an expert of the paper's fusion",
    .uses_anchors = false,
    .inductive = true,
    .settings = {{"layers", "5"}, {"seed-stream", "gcn-5"}},
    .make = make_stack<make_gcn_model, plain_input>,
}};

const Registered<ModelEntry> gir_5{{
    .name = "gir-5",
    .summary = "gir with 5 layers, an expert of the paper's fusion",
    .uses_anchors = true,
    .frontier = true,
    .inductive = true,
    .settings = {{"layers", "5"}, {"seed-stream", "gir-5"}},
    .make = make_stack<make_gir_model, plain_input>,
}};

}  // namespace
}  // namespace gir
