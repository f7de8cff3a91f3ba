#include "gir/runs/open_run.h"

#include <ATen/core/grad_mode.h>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/tensor_file.h"
#include "run_data.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// Reads the files written by save_anchors(); nothing for a run without anchors.
std::optional<AnchorLists> load_anchors(const RunDirectory& directory, const RunConfig& config, const Graph& graph) {
  if (config.fusion.experts.empty()) {
    if (!uses_anchors(config)) return std::nullopt;
    return AnchorLists{read_anchors(directory.anchors(), graph)};
  }
  AnchorLists lists;
  for (const ExpertSpec& spec : config.fusion.experts) {
    const bool has_some = uses_anchors(expert_config(config, spec));
    const fs::path file = directory.expert_anchors(lists.size());
    lists.push_back(has_some ? read_anchors(file, graph) : std::vector<NodeId>());
  }
  return lists;
}

/// "gcn, gir, mlp, sage": the inductive models.
std::string inductive_models() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : Registry<ModelEntry>::all()) {
    if (entry.inductive) names.push_back(entry.name);
  }
  return join(names, ", ");
}

/// The run with its data from memory.
std::unique_ptr<Experiment> open_with(const RunDirectory& directory, RunConfig config, const Dataset& dataset,
                                      const Context& context) {
  const RunRecord record = read_record(directory);
  check_data(directory, record, dataset);
  config.refit = record.result.refit;  // an interrupted run was not trained a second time
  const ExperimentOptions options{.purpose = Purpose::kUse,
                                  .anchors = load_anchors(directory, config, dataset.data.graph)};
  auto experiment = std::make_unique<Experiment>(dataset, std::move(config), context, options);
  load_model(directory, *experiment);
  return experiment;
}

}  // namespace

std::unique_ptr<Experiment> open_run(const RunDirectory& directory, const Dataset& dataset, const Context& context) {
  return open_with(directory, directory_config(directory), dataset, context);
}

FinishedRun open_run(const RunDirectory& directory, const OpenOptions& options) {
  const RunRecord record = read_record(directory);
  FinishedRun run;
  run.data = std::make_unique<Dataset>(open_run_data(directory, options));
  run.classes = record.classes;
  const bool may_differ = options.other_graph && !options.data.graph.empty();
  run.other_graph = may_differ && !is_graph_of(record, *run.data);
  if (run.other_graph) {
    run.experiment = open_on_other_graph(directory, *run.data, options.context);
    return run;
  }
  RunConfig config = directory_config(directory);
  if (!options.data.split_from.empty()) config.data.split_from = options.data.split_from;
  run.experiment = open_with(directory, std::move(config), *run.data, options.context);
  return run;
}

std::unique_ptr<Experiment> open_on_other_graph(const RunDirectory& directory, const Dataset& other,
                                                const Context& context) {
  const RunRecord record = read_record(directory);
  RunConfig config = directory_config(directory);
  const Graph& graph = other.data.graph;
  if (!Registry<ModelEntry>::get(config.model).inductive) {
    if (is_graph_of(record, other)) return open_run(directory, other, context);
    throw UserError(
        "{}: {} is transductive: it was trained on another graph (fingerprint {}, this one has {}) and cannot be "
        "applied to this one [inductive models: {}]",
        other.name, config.model, record.graph_fingerprint, graph.fingerprint(), inductive_models());
  }
  if (num_features(other.data.features) != record.features) {
    throw UserError("{}: has {} features per node, the model was trained on {} [give the same ones with `features`]",
                    other.name, num_features(other.data.features), record.features);
  }
  if (config.shape.positions != Positions::kNone) {
    throw UserError(
        "{}: the model reads distances from its anchors, which mean something else on another graph [train with "
        "`positions` none]",
        other.name);
  }
  config.anchors = std::min(config.anchors, graph.num_nodes());
  auto experiment = std::make_unique<Experiment>(
      other, std::move(config), context,
      ExperimentOptions{.purpose = Purpose::kOtherGraph, .classes = std::ssize(record.classes)});
  const at::NoGradGuard no_gradients;
  load_tensors(directory.model(), experiment->tensors());
  return experiment;
}

}  // namespace gir
