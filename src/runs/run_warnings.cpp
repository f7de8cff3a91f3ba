#include "run_warnings.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gir/core/text.h"
#include "gir/runs/class_warnings.h"

namespace gir {
namespace {

constexpr double kMaxLost = 0.1;                  ///< share of nodes
constexpr double kMaxUnreached = 0.3;             ///< share of nodes, in components of any size
constexpr double kManyIdentical = 0.1;            ///< share of nodes
constexpr double kHardlyBetterThanChance = 0.55;  ///< ROC AUC
constexpr std::size_t kFewEvaluated = 5;          ///< positive pairs or nodes of a set

void add_reach(const RunConfig& config, const RunResult& result, const Dataset& dataset,
               std::vector<std::string>& warnings) {
  const Reach& reach = result.reach;
  const std::int64_t nodes = dataset.data.graph.num_nodes();
  const bool has_anchors = result.anchors > 0;
  const std::int64_t unreached = nodes - reach.nodes;
  const double lost = static_cast<double>(reach.lost) / static_cast<double>(nodes);
  if (has_anchors && lost > kMaxLost) {
    warnings.push_back(fmt::format(
        "{:.0f} % of the nodes are out of reach of the anchors: their vectors say nothing about their position "
        "[`positions` anchors adds distances, which reach everything; or more `layers` or `anchors`]",
        100 * lost));
  } else if (static_cast<double>(unreached) > kMaxUnreached * static_cast<double>(nodes) &&
             num_features(dataset.data.features) == 0) {
    warnings.push_back(fmt::format(
        "{} of {} nodes {}{}, so nothing is known about them but their degree [add edges, or `features` of the nodes]",
        with_thousands(unreached), with_thousands(nodes),
        has_anchors ? "are out of reach of the anchors, most in components of one or two nodes" : "receive no messages",
        reach.edges == "all" ? "" : fmt::format(" along {} edges", reach.edges)));
  }
  if (static_cast<double>(reach.identical) > kManyIdentical * static_cast<double>(nodes)) {
    warnings.push_back(fmt::format("{} of {} nodes have the same vector as another node [{}]",
                                   with_thousands(reach.identical), with_thousands(nodes),
                                   config.shape.structural
                                       ? "more `anchors`, or features that differ"
                                       : "`structural` features distinguish more nodes, and so does `model` gir-x"));
  }
}

bool has_zero_weights_only(const Graph& graph) {
  const auto& weights = graph.in().weights;
  return std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 0; });
}

void add_weights(const RunConfig& config, const Graph& graph, std::vector<std::string>& warnings) {
  if (graph.weighted() && !config.shape.weighted) {
    const bool along_edges = Registry<ModelEntry>::get(config.model).along_edges;
    warnings.emplace_back(
        along_edges ? "the graph has edge weights, which are not used [`weighted` multiplies messages by them]"
                    : "the graph has edge weights, which this model cannot use [another `model`]");
  }
  if (graph.weighted() && config.shape.weighted && has_zero_weights_only(graph)) {
    warnings.emplace_back("all edge weights are 0, so that `weighted` removes every message [omit it]");
  }
  if (!graph.weighted() && config.shape.weighted) {
    warnings.emplace_back("`weighted` has no effect: the graph has no edge weights [omit it, or give weights]");
  }
}

/// What validation metrics are of, where that is not the last model.
const char* before_refit(const RunResult& result) { return result.refit ? " of the model before the refit" : ""; }

/// Metrics of a handful of pairs or nodes take few values, and chance decides which.
void add_small_sets(const Experiment& experiment, const RunResult& result, std::vector<std::string>& warnings) {
  const auto add = [&](const char* set, std::size_t count, const char* what) {
    if (count == 0 || count >= kFewEvaluated) return;
    warnings.push_back(fmt::format(
        "the {} set has only {} {}{}: its metrics are mostly chance [give it a larger share with `split-shares`, or "
        "add data]",
        set, count, what, count == 1 ? "" : "s"));
  };
  const PairSplit* pairs = experiment.pair_split();
  const NodeSplit& nodes = experiment.node_split();
  add("validation", pairs != nullptr ? pairs->valid().positives.size() : nodes.valid.size(),
      pairs != nullptr ? "pair" : "node");
  if (result.test.values.empty()) return;
  add("test", pairs != nullptr ? pairs->test().positives.size() : nodes.test.size(),
      pairs != nullptr ? "pair" : "node");
}

/// A split that the user provides may have any number of negatives.
void add_few_negatives(const Experiment& experiment, std::vector<std::string>& warnings) {
  const PairSplit* pairs = experiment.pair_split();
  if (pairs == nullptr) return;
  const auto add = [&](const char* set, const EvaluationPairs& part) {
    if (2 * part.negatives.size() >= part.positives.size()) return;
    warnings.push_back(fmt::format(
        "the {} set has {} positive pairs, but only {} negative {}: its metrics are mostly chance [add negatives to "
        "the split, or omit them there: as many as positives are drawn]",
        set, part.positives.size(), part.negatives.size(), part.negatives.size() == 1 ? "one" : "ones"));
  };
  add("validation", pairs->valid());
  add("test", pairs->test());
}

/// The ROC AUC of pairs, whichever metric selects the epoch; NaN where there is none.
double roc_auc_of(const Metrics& metrics) {
  for (const auto& [name, value] : metrics.values) {
    if (name == "roc_auc") return value;
  }
  return std::nan("");
}

/// Of pairs; class_warnings() does the same for nodes.
void add_chance(const RunResult& result, std::vector<std::string>& warnings) {
  const double auc = roc_auc_of(result.valid);
  if (!(auc < kHardlyBetterThanChance)) return;
  warnings.push_back(fmt::format("validation roc_auc {:.3f}{} is hardly better than chance (0.5) [another `model`]",
                                 auc, before_refit(result)));
}

/// One warning, about the best heuristic: on the validation pairs, else on the test pairs.
void add_baselines(const RunConfig& config, const RunResult& result, std::vector<std::string>& warnings) {
  const char* remedy = config.pair_features.empty() ? "`model` gir-x reads such heuristics"
                                                    : "more `epochs`, or other settings of the model";
  if (result.baselines.empty()) return;
  const auto add_if_better = [&](const char* set, double Baseline::*value, const Metrics& metrics) {
    const double auc = roc_auc_of(metrics);  // which is what the heuristics have
    const auto best = std::max_element(result.baselines.begin(), result.baselines.end(),
                                       [&](const Baseline& a, const Baseline& b) { return a.*value < b.*value; });
    if (!((*best).*value > auc)) return false;
    warnings.push_back(fmt::format(
        "the heuristic {} is better than the model on the same {} pairs: roc_auc {:.3f} against {:.3f}{} [{}]",
        best->name, set, (*best).*value, auc, &metrics == &result.valid ? before_refit(result) : "", remedy));
    return true;
  };
  if (!add_if_better("validation", &Baseline::valid, result.valid)) add_if_better("test", &Baseline::test, result.test);
}

void add_direction(const RunResult& result, const Graph& graph, std::vector<std::string>& warnings) {
  if (result.task != Task::kLinkPrediction || !graph.directed()) return;
  warnings.emplace_back(
      "scores do not depend on the order of the two nodes: they say whether there is an edge in either direction "
      "[no model here scores directions; `undirected` drops them, so that messages travel both ways]");
}

void add_classes(const Experiment& experiment, const Labels& labels, const ValidatedClasses& validated, bool refit,
                 std::vector<std::string>& warnings) {
  const std::string& select_by = experiment.config().select_by;
  const bool selects = !select_by.empty() && select_by != kSelectByLoss;
  const std::vector<std::string> found = class_warnings({.labels = labels,
                                                         .split = experiment.node_split(),
                                                         .predicted = validated.predicted,
                                                         .weighted = experiment.config().class_weights,
                                                         .selects = selects,
                                                         .before_refit = refit ? &validated.split : nullptr});
  warnings.insert(warnings.end(), found.begin(), found.end());
}

/// Data sets that are known by name have the split of the published results as their default.
void add_unused_split(const RunConfig& config, const Dataset& dataset, std::vector<std::string>& warnings) {
  const bool uses_own = config.official_split || !config.data.split_from.empty();
  if (dataset.task || !dataset.data.split || uses_own || config.task != task_name(Task::kNodeClassification)) return;
  warnings.emplace_back("the data has an official split, which is not used [`official-split` uses it]");
}

}  // namespace

ValidatedClasses validated_classes(const Experiment& experiment, Task task, const ModelOutput& output) {
  if (task != Task::kNodeClassification) return {};
  const NodeSplit& split = experiment.node_split();
  return {.split = split, .predicted = predicted_classes(output.outputs, split.valid)};
}

std::vector<std::string> run_warnings(const Experiment& experiment, const Dataset& dataset,
                                      const ValidatedClasses& validated, const RunResult& result) {
  std::vector<std::string> warnings;
  const Graph& graph = dataset.data.graph;
  add_reach(experiment.config(), result, dataset, warnings);
  add_weights(experiment.config(), graph, warnings);
  add_small_sets(experiment, result, warnings);
  add_few_negatives(experiment, warnings);
  add_chance(result, warnings);
  add_baselines(experiment.config(), result, warnings);
  add_direction(result, graph, warnings);
  if (result.task == Task::kNodeClassification) {
    add_classes(experiment, dataset.data.labels, validated, result.refit, warnings);
  }
  add_unused_split(experiment.config(), dataset, warnings);
  return warnings;
}

}  // namespace gir
