#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// The settings that the paper states for its table of fusions. Hidden size, epochs, learning rate schedule, residual
/// connections and a gate that reads probabilities are our own choices, selected on validation metrics
/// (docs/fusion.md).
const Registered<Recipe> fusion{{
    .name = "fusion",
    .summary = "for graphs with features, close to the paper's fusions: LAMB, batch norm, dropout 0.5, 256 anchors",
    .values = {{"layers", "3"},
               {"hidden", "128"},
               {"anchors", "256"},
               {"dropout", "0.5"},
               {"norm", "batch"},
               {"residual", "true"},
               {"decoder", "mlp"},
               {"epochs", "160"},
               {"evaluate-every", "5"},
               {"patience", "0"},
               {"optimizer", "lamb"},
               {"lr", "0.01"},
               {"weight-decay", "1e-05"},
               {"gate-probabilities", "true"},
               {"schedule", "hold"},
               {"strategy", "ga-mpca"},
               {"fill", "degree"}},
}};

}  // namespace
}  // namespace gir
