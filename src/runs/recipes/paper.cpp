#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// The settings that the paper states for its table of positional tasks; where it states none, those whose results came
/// closest to it.
const Registered<Recipe> paper{{
    .name = "paper",
    .summary = "the settings of the paper, as far as they are known: Adam, no normalisation, dropout 0.5, 600 epochs",
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
