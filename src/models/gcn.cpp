#include "message_stack.h"

namespace gir {
namespace {

const Registered<ModelEntry> plain{{
    .name = "gcn",
    .summary = "graph convolutional network: mean over a node and its neighbours",
    .uses_anchors = false,
    .inductive = true,
    .make = make_stack<make_gcn_model, plain_input>,
}};

const Registered<ModelEntry> gcn_a{{
    .name = "gcn-a",
    .summary = "gcn with one-hot labels on the anchors",
    .uses_anchors = true,
    .inductive = false,
    .make = make_stack<make_gcn_model, anchor_labelled_input>,
}};

const Registered<ModelEntry> gcn_o{{
    .name = "gcn-o",
    .summary = "gcn with one-hot labels on all nodes",
    .uses_anchors = false,
    .inductive = false,
    .make = make_stack<make_gcn_model, node_labelled_input>,
}};

}  // namespace
}  // namespace gir
