#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// One set of settings for all models, selected on validation metrics: docs/reproduction.md describes the search.
const Registered<Recipe> strong{{
    .name = "strong",
    .summary =
        "common settings for all models, selected on validation data: batch norm, jumping knowledge, dropout 0.2",
    .values = {{"layers", "3"},
               {"dropout", "0.2"},
               {"norm", "batch"},
               {"jump", "true"},
               {"decoder", "mlp"},
               {"epochs", "600"},
               {"evaluate-every", "10"},
               {"patience", "0"},
               {"optimizer", "adam"},
               {"lr", "0.01"},
               {"weight-decay", "1e-4"},
               {"schedule", "constant"},
               {"strategy", "ga-mpca"},
               {"fill", "degree"}},
    .task_values = {{"nc", {{"evaluate-every", "5"}}}},
}};

}  // namespace
}  // namespace gir
