#include <algorithm>
#include <string>

#include "message_stack.h"

namespace gir {
namespace {

/// In pair tasks every node occurs in training pairs, so all nodes get a one-hot label. Its weights are initialised to
/// zero and grow where the anchors do not explain enough. In node classification the labels of nodes outside the
/// training set would hardly be trained, so only anchors are labelled.
NodeInput input_of(const ModelInputs& inputs, const ModelOptions& options, const Graph& graph) {
  NodeInput input = anchor_labelled_input(inputs, options, graph);
  if (inputs.classes == 0) input.add_one_hot_of_all(/*zero_initialised=*/true);
  return input;
}

// On larger graphs pair features are approximated or omitted, fewer parts are used and epochs sample pairs, so that
// time and memory stay proportional to the edges. Measurements: docs/links.md, "Cost"; settings: docs/gir-x.md.
constexpr std::int64_t kMaxForExactWalks = 1'000'000'000;  ///< nodes times directed edges
constexpr EdgeId kMaxArcsOfViews = 4'000'000;              ///< of all views of the graph together
constexpr EdgeId kMaxArcsForSpectra = 2'000'000;           ///< 64 vectors per view, in memory
constexpr EdgeId kMaxArcsForWholeParts = 650'000;          ///< beyond, an epoch samples kEpochPairs of a part
constexpr std::int64_t kParts = 10;
constexpr std::int64_t kMaxRounds = 3;
constexpr EdgeId kEdgesOfRounds = 52'000;  ///< of all rounds together: so many fit into the pool of training pairs
constexpr std::int64_t kEpochPairs = 1 << 15;

std::map<std::string, std::string> settings_on(const Graph& graph) {
  const EdgeId arcs = std::max<EdgeId>(1, graph.num_arcs()) * (graph.directed() ? 2 : 1);
  const bool exact = graph.num_nodes() <= kMaxForExactWalks / arcs;
  std::string features = "common-neighbors,pair-distance";
  features += exact ? ",walks" : ",local-walks";
  if (arcs <= kMaxArcsForSpectra) features += ",spectral";
  const std::int64_t rounds = std::clamp<std::int64_t>(2 * kEdgesOfRounds / arcs, 1, kMaxRounds);
  std::map<std::string, std::string> settings = {{"pair-features", features},
                                                 {"hidden-rounds", std::to_string(rounds)}};
  const std::int64_t views = std::max<std::int64_t>(1, kMaxArcsOfViews / arcs);
  if (views < rounds * kParts) settings["hidden-views"] = std::to_string(views);
  if (arcs > kMaxArcsForWholeParts) settings["epoch-pairs"] = std::to_string(kEpochPairs);
  return settings;
}

/// docs/gir-x.md explains the settings and how they were selected.
const Registered<ModelEntry> entry{{
    .name = "gir-x",
    .summary = "gir-a with structural and pair features, trained on supervision edges removed from the message graph",
    .uses_anchors = true,
    .frontier = true,
    .inductive = false,
    .settings = {{"structural", "true"},
                 {"forest", "true"},
                 {"jump", "true"},
                 {"norm", "batch"},
                 {"dropout", "0.5"},
                 {"weight-decay", "1e-05"},
                 {"hidden-parts", std::to_string(kParts)},
                 {"decoder", "boosted"}},
    .make = make_stack<make_gir_model, input_of>,
    .settings_on = settings_on,
}};

}  // namespace
}  // namespace gir
