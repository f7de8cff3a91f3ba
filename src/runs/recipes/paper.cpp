#include "shared_values.h"

namespace gir {
namespace {

/// The settings that the paper states for its table of positional tasks; where it states none, those whose results came
/// closest to it.
const Registered<Recipe> paper{{
    .name = "paper",
    .summary = "the settings of the paper, as far as they are known: Adam, no normalisation, dropout 0.5, 600 epochs",
    .values = paper_values(),
    .task_values = {{"nc", kNodeValues}},
}};

}  // namespace
}  // namespace gir
