#include "shared_values.h"

namespace gir {
namespace {

/// The settings that the paper states for its table of fusions. Hidden size, epochs, learning rate schedule, residual
/// connections and a gate that reads probabilities are our own choices, selected on validation metrics
/// (docs/fusion.md).
const Registered<Recipe> fusion{{
    .name = "fusion",
    .summary = "for graphs with features, close to the paper's fusions: LAMB, batch norm, dropout 0.5, 256 anchors",
    .values = fusion_values(),
}};

}  // namespace
}  // namespace gir
