#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// SPEC section 7: what is known of the paper's settings, and what came closest to its metrics.
const Registered<Recipe> paper{{
    .name = "paper",
    .summary = "as near to the paper as is known: Adam, no norm, dropout 0.5, 600 epochs",
    .values = {{"layers", "3"},
               {"dropout", "0.5"},
               {"norm", "none"},
               {"decoder", "mlp"},
               {"epochs", "600"},
               {"evaluate-every", "10"},
               {"patience", "0"},
               {"optimizer", "adam"},
               {"lr", "0.01"},
               {"weight-decay", "1e-05"},
               {"schedule", "constant"},
               {"strategy", "ga-mpca"},
               {"fill", "degree"}},
    .task_values = {{"nc", {{"evaluate-every", "5"}}}},
}};

}  // namespace
}  // namespace gir
