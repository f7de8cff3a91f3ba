#include "shared_values.h"

namespace gir {
namespace {

/// The recipe `fusion` with stronger experts: linear projection shortcuts, so that a GCN sees the features of the node
/// itself, jumping-knowledge connections, batch-norm statistics re-estimated without dropout, and Xavier initialisation
/// with the ReLU gain. Selected on validation metrics: docs/fusion.md.
const Registered<Recipe> fusion_strong{{
    .name = "fusion-strong",
    .summary = "for graphs with features: fusion with stronger layers, selected on validation data",
    .values = with({{"settle-norms", "true"},
                    {"residual-maps", "true"},
                    {"jump", "true"},
                    {"initial", "xavier-relu"},
                    {"epochs", "100"}},
                   fusion_values()),
}};

}  // namespace
}  // namespace gir
