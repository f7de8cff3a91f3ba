#include "gir/core/text.h"
#include "gir/runs/run_config.h"
#include "shared_values.h"

namespace gir {
namespace {

/// On larger graphs it takes too long to describe the pairs that are evaluated, which grow with the edges.
constexpr EdgeId kMaxEdgesForPairFeatures = 5'000'000;
constexpr std::int64_t kMaxNodesForPairFeatures = 1'000'000;

/// Larger epochs than this gain nothing: the optimiser then takes fewer steps in the same time.
constexpr std::int64_t kMaxEpochPairs = 1 << 15;

EdgeId edges_of(const Graph& graph) { return graph.num_arcs() / (graph.directed() ? 1 : 2); }

bool is_large(const Graph& graph) {
  return edges_of(graph) > kMaxEdgesForPairFeatures || graph.num_nodes() > kMaxNodesForPairFeatures;
}

std::string note_on_size(const Graph& graph) {
  if (!is_large(graph)) return "";
  return fmt::format(
      "the graph has more than {} nodes or {} edges, so the default is gir-a, without pair features: gir-x would take "
      "many minutes to compute these [`model` gir-x]",
      with_thousands(kMaxNodesForPairFeatures), with_thousands(kMaxEdgesForPairFeatures));
}

/// What depends on the size of the graph. docs/defaults.md has the measurements.
void adapt_to_size(RunConfig& config, const Graph& graph) {
  const bool links = config.task == task_name(Task::kLinkPrediction);
  if (!is_large(graph)) config.model = "gir-x";
  if (links && edges_of(graph) > 10 * kMaxEpochPairs) {
    config.epoch_pairs = kMaxEpochPairs;
    config.training.epochs = 200;
  }
}

const SettingValues kWithPositions = {{"positions", "anchors"}};

const Registered<Recipe> automatic{{
    .name = "auto",
    .summary = "for graphs without known settings: anchors in every component, distances as inputs, early stopping, "
               "sizes chosen from the graph",
    .values = with({{"patience", "12"}, {"strategy", "spread"}, {"fill", ""}}, strong_values()),
    // On small validation sets the accuracy of most epochs is the same, and the best one is best by chance.
    .task_values = {{"nc", with({{"select-by", "loss"}}, kNodeValues)}, {"lp", {{"messages", "known"}}}},
    // Not `gir`, which can be used on other graphs: distances from other anchors would mean something else there.
    .model_values =
        {{"gir-a", kWithPositions}, {"gir-o", kWithPositions}, {"gir-mix", kWithPositions}, {"gir-x", kWithPositions}},
    .max_hidden = 32,
    .adapt = adapt_to_size,
    .note = note_on_size,
}};

}  // namespace
}  // namespace gir
