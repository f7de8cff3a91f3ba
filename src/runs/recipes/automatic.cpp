#include "gir/core/text.h"
#include "gir/runs/run_config.h"
#include "shared_values.h"

namespace gir {
namespace {

/// On larger graphs it takes too long to describe the pairs that are evaluated, which grow with the edges.
constexpr EdgeId kMostEdgesForPairFeatures = 5'000'000;
constexpr std::int64_t kMostNodesForPairFeatures = 1'000'000;

/// Larger epochs than this gain nothing: the optimiser then takes fewer steps in the same time.
constexpr std::int64_t kMostEpochPairs = 1 << 15;

EdgeId edges_of(const Graph& graph) { return graph.num_arcs() / (graph.directed() ? 1 : 2); }

bool is_large(const Graph& graph) {
  return edges_of(graph) > kMostEdgesForPairFeatures || graph.num_nodes() > kMostNodesForPairFeatures;
}

std::string note_on_size(const Graph& graph) {
  if (!is_large(graph)) return "";
  return fmt::format(
      "the graph has more than {} nodes or {} edges, so the default is gir-a, without pair features: gir-x would take "
      "many minutes to compute these [`model` gir-x]",
      with_thousands(kMostNodesForPairFeatures), with_thousands(kMostEdgesForPairFeatures));
}

/// What depends on the size of the graph. docs/defaults.md has the measurements.
void adapt_to_size(RunConfig& config, const Graph& graph) {
  const bool links = config.task == task_name(Task::kLinkPrediction);
  if (!is_large(graph)) config.model = "gir-x";
  if (links && edges_of(graph) > 10 * kMostEpochPairs) {
    config.epoch_pairs = kMostEpochPairs;
    config.training.epochs = 200;
  }
}

const SettingValues kWithPositions = {{"positions", "anchors"}};

const Registered<Recipe> automatic{{
    .name = "auto",
    .summary = "for graphs that nobody has tuned on: anchors everywhere, distances as inputs, early stopping, sizes "
               "that follow the graph",
    .values = with({{"patience", "12"}, {"strategy", "spread"}, {"fill", ""}}, strong_values()),
    .task_values = {{"nc", kNodeValues}, {"lp", {{"messages", "known"}}}},
    // Not `gir`, which can be used on other graphs: distances from other anchors would mean something else there.
    .model_values =
        {{"gir-a", kWithPositions}, {"gir-o", kWithPositions}, {"gir-mix", kWithPositions}, {"gir-x", kWithPositions}},
    .most_hidden = 32,
    .adapt = adapt_to_size,
    .note = note_on_size,
}};

}  // namespace
}  // namespace gir
