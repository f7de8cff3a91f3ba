#include "shared_values.h"

namespace gir {
namespace {

/// One set of settings for all models, selected on validation metrics: docs/reproduction.md describes the search.
const Registered<Recipe> strong{{
    .name = "strong",
    .summary =
        "common settings for all models, selected on validation data: batch norm, jumping knowledge, dropout 0.2",
    .values = strong_values(),
    .task_values = {{"nc", kNodeValues}},
}};

}  // namespace
}  // namespace gir
