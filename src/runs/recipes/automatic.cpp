#include "gir/runs/run_config.h"

namespace gir {
namespace {

/// Graphs of up to this size are cheap enough for pair features and twenty copies of the message graph and its inputs.
constexpr EdgeId kMostEdgesForPairFeatures = 1'000'000;
constexpr std::int64_t kMostNodesForPairFeatures = 250'000;

/// Larger epochs than this gain nothing: the optimiser then takes fewer steps in the same time.
constexpr std::int64_t kMostEpochPairs = 1 << 15;

/// What depends on the size of the graph. docs/defaults.md has the measurements.
void adapt_to_size(RunConfig& config, const Graph& graph) {
  const EdgeId edges = graph.num_arcs() / (graph.directed() ? 1 : 2);
  const bool links = config.task == task_name(Task::kLinkPrediction);
  if (edges <= kMostEdgesForPairFeatures && graph.num_nodes() <= kMostNodesForPairFeatures) config.model = "gir-x";
  if (links && edges > 10 * kMostEpochPairs) {
    config.epoch_pairs = kMostEpochPairs;
    config.training.epochs = 200;
  }
}

const SettingValues kWithPositions = {{"positions", "anchors"}};

const Registered<Recipe> automatic{{
    .name = "auto",
    .summary = "for graphs that nobody has tuned on: anchors everywhere, distances as inputs, early stopping, sizes "
               "that follow the graph",
    .values = {{"layers", "3"},
               {"dropout", "0.2"},
               {"norm", "batch"},
               {"jump", "true"},
               {"decoder", "mlp"},
               {"epochs", "600"},
               {"evaluate-every", "10"},
               {"patience", "12"},
               {"optimizer", "adam"},
               {"lr", "0.01"},
               {"weight-decay", "1e-4"},
               {"schedule", "constant"},
               {"strategy", "spread"},
               {"fill", ""}},
    .task_values = {{"nc", {{"evaluate-every", "5"}}}, {"lp", {{"messages", "known"}}}},
    // Not `gir`, which can be used on other graphs: distances from other anchors would mean something else there.
    .model_values =
        {{"gir-a", kWithPositions},
         {"gir-o", kWithPositions},
         {"gir-mix", kWithPositions},
         {"gir-x", kWithPositions}},
    .adapt = adapt_to_size,
}};

}  // namespace
}  // namespace gir
