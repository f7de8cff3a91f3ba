#include <algorithm>
#include <filesystem>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/learn/decoder.h"
#include "gir/learn/objective.h"
#include "gir/learn/optimizer.h"
#include "gir/pairs/pair_features.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/model_spec.h"
#include "gir/runs/run_config.h"
#include "pair_splits.h"

namespace gir {
namespace {

Task chosen_task(const RunConfig& config, const Dataset& dataset) {
  return config.task.empty() ? default_task(dataset) : parse_task(config.task);
}

constexpr std::int64_t kMaxHiddenParts = 100;  ///< each part needs at least the memory of the message graph

/// An anchor file implies the strategy `file`, and a list given by the user is not filled up with other anchors.
void use_anchor_file(RunConfig& config, const SettingValues& given) {
  if (!config.anchor_file.empty() && !given.contains("strategy")) config.strategy = "file";
  const bool from_file = canonical_name(config.strategy) == "file";
  if (!config.anchor_file.empty() && !from_file) {
    throw UserError("`anchor-file` is for the strategy file, not {} [use `strategy` file]", config.strategy);
  }
  if (from_file && config.anchor_file.empty()) throw UserError("the strategy file needs ids [set `anchor-file`]");
  if (from_file && !given.contains("fill")) config.fill.clear();
}

/// Stores absolute paths, so that a run can be opened from any working directory.
void use_absolute_paths(RunConfig& config) {
  const bool known_by_name = Registry<DatasetEntry>::find(config.data.graph) != nullptr;
  for (std::string* path :
       {&config.data.graph, &config.data.features, &config.data.labels, &config.data.split_from, &config.anchor_file}) {
    if (path == &config.data.graph && known_by_name) continue;
    if (!path->empty() && std::filesystem::exists(*path)) *path = std::filesystem::absolute(*path).string();
  }
  if (!config.fusion.cache.empty()) config.fusion.cache = std::filesystem::absolute(config.fusion.cache).string();
}

/// Published splits of edges have shares of their own for the validation part. UserError for a number without a split.
void use_published_shares(RunConfig& config, const Dataset& dataset) {
  if (!uses_published_links(dataset, split_choice(config))) return;
  published_split(dataset, config.split);
  if (!config.split_shares) config.split_shares = dataset.link_splits.shares;
}

/// A split that exists already is not drawn: refuses settings that it does not depend on.
void check_existing_split(const RunConfig& config, const Dataset& dataset) {
  const std::string& given = config.data.split_from;
  if (!given.empty() && config.official_split) {
    throw UserError("`split-from` and `official-split` are two splits [omit one of them]");
  }
  check_official_split(dataset, split_choice(config));
  const bool one_official = num_splits(dataset, config) == 1;
  if (one_official && config.split_shares) {
    throw UserError("`official-split` is a split already, so `split-shares` has no effect [omit one of them]");
  }
  if (one_official && config.split != 0) {
    throw UserError("there is only one official split, so `split` {} has no effect [omit `split` or `official-split`]",
                    config.split);
  }
  if (given.empty() || (!config.split_shares && config.split == 0)) return;
  const GivenParts parts = given_parts(dataset, config);
  if (config.split_shares && parts.valid) {
    throw UserError("{}: the split has a validation part, so `split-shares` has no effect [omit `split-shares`]",
                    given);
  }
  if (config.split != 0 && !parts.vary()) {
    throw UserError("{}: there is only one split, so `split` {} has no effect [omit `split`]", given, config.split);
  }
}

/// The kernels refuse such weights, too, but know no file.
void check_weights(const RunConfig& config, const Dataset& dataset) {
  const Graph& graph = dataset.data.graph;
  if (!config.shape.weighted || !graph.weighted() || !Registry<ModelEntry>::get(config.model).along_edges) return;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    const auto weights = graph.out().row_weights(node);
    const auto negative = std::find_if(weights.begin(), weights.end(), [](float weight) { return weight < 0; });
    if (negative == weights.end()) continue;
    const NodeId other = graph.out_neighbors(node)[static_cast<std::size_t>(negative - weights.begin())];
    throw UserError("{}: the edge between {} and {} has the weight {} [`weighted` needs weights of at least 0]",
                    config.data.name(), quoted(graph.names().name(node)), quoted(graph.names().name(other)), *negative);
  }
}

void check_split_settings(const RunConfig& config, const Dataset& dataset) {
  check_existing_split(config, dataset);
  if (config.refit && Registry<ModelEntry>::get(config.model).fuses) {
    throw UserError(
        "`refit` is not for fused models: the gate would be trained on data that the experts have not seen [omit "
        "`refit`]");
  }
  if (config.messages != MessageEdges::kTrain && config.task != task_name(Task::kLinkPrediction)) {
    throw UserError("`messages` is for link prediction: for {}, all edges carry messages [omit `messages`]",
                    config.task);
  }
}

/// Also replaces the names of pair features by their registered spelling.
void check_pair_settings(RunConfig& config) {
  if (config.hidden_parts != 0 && (config.hidden_parts < 2 || config.hidden_parts > kMaxHiddenParts)) {
    throw UserError("`hidden-parts`: {} [0, or 2 to {}]", config.hidden_parts, kMaxHiddenParts);
  }
  std::vector<std::string> names;
  for (const PairFeatureEntry* entry : pair_features_of(config.pair_features)) {
    names.push_back(entry->name);
    if (entry->sees_own_edge && config.task == task_name(Task::kLinkPrediction) && config.hidden_parts == 0) {
      throw UserError(
          "`pair-features`: {} reveals to training which pairs are linked, unless supervision edges are removed from "
          "the message graph [use `hidden-parts` 10]",
          entry->name);
    }
  }
  config.pair_features = join(names, ",");
}

/// Only fused models have experts, and fused models are node classifiers.
void check_fusion_settings(RunConfig& config, const Dataset& dataset) {
  const ModelEntry& entry = Registry<ModelEntry>::get(config.model);
  if (!entry.fuses) {
    if (!config.fusion.experts.empty()) {
      throw UserError("`experts` are for fused models, not {} [use `model` fusion]", entry.name);
    }
    config.fusion = {};
    config.shape.gate = {};
    return;
  }
  if (config.fusion.experts.empty()) {
    throw UserError("{} has no experts [set `experts`, or use a model with predefined experts, such as gcn-gir]",
                    entry.name);
  }
  if (config.task != task_name(Task::kNodeClassification)) {
    throw UserError("{} is a node classifier, but the task is {} [use `task` nc, on a graph with labels]", entry.name,
                    config.task);
  }
  resolve_experts(config, dataset);
}

/// What a recipe sets for single models holds for experts, too.
void add_to_experts(const Recipe& recipe, std::vector<ExpertSpec>& experts) {
  for (ExpertSpec& spec : experts) {
    const auto of_model = recipe.model_values.find(spec.model);
    if (!spec.folder.empty() || of_model == recipe.model_values.end()) continue;
    for (const auto& [name, value] : of_model->second) spec.settings.try_emplace(name, value);
  }
}

}  // namespace

std::string main_metric(const RunConfig& config) {
  if (!config.select_by.empty() && config.select_by != kSelectByLoss) return config.select_by;
  const ObjectiveEntry* chosen = config.objective.empty() ? nullptr : Registry<ObjectiveEntry>::find(config.objective);
  const bool named = chosen != nullptr && !chosen->metrics.empty();
  return named ? chosen->metrics.front() : std::string(default_metric(config.task));
}

std::string_view default_recipe(const Dataset& dataset) {
  return dataset.task ? kRecipeOfNamedData : kRecipeOfOtherGraphs;
}

RunConfig resolve(std::string_view recipe_name, const SettingValues& given, const Dataset& dataset) {
  RunConfig config;
  if (const auto task = given.find("task"); task != given.end()) set(config, "task", task->second);
  config.task = task_name(chosen_task(config, dataset));
  const Recipe& recipe = Registry<Recipe>::get(recipe_name.empty() ? default_recipe(dataset) : recipe_name);
  for (const auto& [name, value] : recipe.values) set(config, name, value);
  if (const auto of_task = recipe.task_values.find(config.task); of_task != recipe.task_values.end()) {
    for (const auto& [name, value] : of_task->second) set(config, name, value);
  }
  if (recipe.adapt != nullptr) recipe.adapt(config, dataset.data.graph);
  if (given.contains("experts")) config.model = plain_fused_model();
  if (const auto model = given.find("model"); model != given.end()) set(config, "model", model->second);
  const ModelEntry& entry = Registry<ModelEntry>::get(config.model);
  for (const auto& [name, value] : entry.settings) set(config, name, value);
  if (entry.settings_on != nullptr) {
    for (const auto& [name, value] : entry.settings_on(dataset.data.graph)) set(config, name, value);
  }
  if (const auto of_model = recipe.model_values.find(entry.name); of_model != recipe.model_values.end()) {
    for (const auto& [name, value] : of_model->second) set(config, name, value);
  }
  for (const auto& [name, value] : given) set(config, name, value);
  add_to_experts(recipe, config.fusion.experts);
  config.task = task_name(chosen_task(config, dataset));
  config.model = Registry<ModelEntry>::get(config.model).name;
  config.decoder = Registry<DecoderEntry>::get(config.decoder).name;
  use_anchor_file(config, given);
  use_absolute_paths(config);
  if (!given.contains("official-split")) {
    config.official_split = prefers_official_split(dataset, split_choice(config), given.contains("split"));
  }
  check_split_settings(config, dataset);
  check_weights(config, dataset);
  use_published_shares(config, dataset);
  if (config.shape.hidden == 0) config.shape.hidden = dataset.sizes.hidden;
  if (recipe.max_hidden > 0 && config.shape.hidden > recipe.max_hidden && !given.contains("lr")) {
    config.training.learning_rate *= static_cast<double>(recipe.max_hidden) / static_cast<double>(config.shape.hidden);
  }
  // A recipe that adapts to the graph leaves the number of anchors of frontier models, also as experts, to the message
  // graph.
  const bool automatic = recipe.adapt != nullptr && (entry.frontier || entry.fuses);
  if (config.anchors == 0 && !automatic) config.anchors = dataset.sizes.anchors;
  if (!given.contains("anchors")) config.anchors = std::min(config.anchors, dataset.data.graph.num_nodes());
  if (config.shape.anchor_sets == 0) config.shape.anchor_sets = dataset.sizes.anchor_sets;
  config.training.optimizer = Registry<OptimizerEntry>::get(config.training.optimizer).name;
  if (!config.objective.empty()) config.objective = Registry<ObjectiveEntry>::get(config.objective).name;
  const bool fuses = Registry<ModelEntry>::get(config.model).fuses;
  const ObjectiveEntry& objective = objective_entry(config.objective, parse_task(config.task), fuses);
  if (objective.metrics.empty() && !given.contains("select-by"))
    config.select_by.clear();  // the recipe's does not apply
  config.select_by = selection_metric(objective, config.select_by);
  check_pair_settings(config);
  check_fusion_settings(config, dataset);
  return config;
}

}  // namespace gir
