#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// The recipe `fusion` with stronger experts: linear projection shortcuts, so that a GCN sees the features of the node
/// itself, jumping-knowledge connections, batch-norm statistics re-estimated without dropout, and Xavier initialisation
/// with the ReLU gain. Selected on validation metrics: docs/fusion.md.
const Registered<Recipe> fusion_strong{{
    .name = "fusion-strong",
    .summary = "for graphs with features: fusion with stronger layers, selected on validation data",
    .values = {{"layers", "3"},           {"hidden", "128"},
               {"anchors", "256"},        {"dropout", "0.5"},
               {"norm", "batch"},         {"settle-norms", "true"},
               {"residual", "true"},      {"residual-maps", "true"},
               {"jump", "true"},          {"initial", "xavier-relu"},
               {"decoder", "mlp"},        {"epochs", "100"},
               {"evaluate-every", "5"},   {"patience", "0"},
               {"optimizer", "lamb"},     {"lr", "0.01"},
               {"weight-decay", "1e-05"}, {"gate-probabilities", "true"},
               {"schedule", "hold"},      {"strategy", "ga-mpca"},
               {"fill", "degree"}},
}};

}  // namespace
}  // namespace gir
