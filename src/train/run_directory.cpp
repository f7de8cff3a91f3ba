#include "gir/train/run_directory.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <nlohmann/json.hpp>

#include "append_file.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/version.h"
#include "gir/io/gzip.h"
#include "gir/train/embeddings.h"
#include "gir/train/tensor_file.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// All files that a run may leave.
std::vector<fs::path> files_of(const RunDirectory& directory) {
  return {directory.config(),  directory.model(),      directory.metrics(), directory.result(),
          directory.anchors(), directory.embeddings(), directory.nodes(),   directory.checkpoint()};
}

ordered_json figures_json(const Figures& figures) {
  ordered_json document;
  for (const auto& [name, value] : figures.values) document[name] = value;
  return document;
}

json read_json(const fs::path& path) {
  const MappedFile file(path);
  json document = json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw UserError(path, "is damaged: not a JSON object");
  return document;
}

/// One line of metrics.jsonl.
std::string metrics_line(const EpochReport& report) {
  ordered_json line = {{"epoch", report.epoch}, {"loss", report.loss}};
  for (const auto& [name, value] : report.valid->values) line["valid_" + name] = value;
  return line.dump() + "\n";
}

/// Keeps the lines up to `epoch`: those behind a checkpoint come again.
void cut_metrics(const fs::path& path, std::int64_t epoch) {
  if (!fs::exists(path)) return;
  std::string kept;
  {
    const TextFile file(path);
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      if (end == std::string_view::npos) break;  // a line that was being written
      const std::string_view line = rest.substr(0, end + 1);
      const json document = json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (!document.is_object() || document.value("epoch", std::int64_t{0}) > epoch) break;
      kept += line;
      rest.remove_prefix(end + 1);
    }
  }
  write_file(path, kept);
}

/// What the rest of a training depends on beside the trainer's state.
using Circumstances = std::map<std::string, std::string>;

Circumstances circumstances(const Experiment& experiment, const Dataset& dataset) {
  return {{"settings", settings_text(experiment.config())}, {"data", fingerprint(dataset.data)}};
}

/// Epochs that the checkpoint has behind it; 0 where there is none.
std::int64_t load_checkpoint(const RunDirectory& directory, Experiment& experiment, const Circumstances& now) {
  if (!fs::exists(directory.checkpoint())) return 0;
  const std::vector<NamedTensor> state = experiment.trainer().state();
  const at::NoGradGuard no_gradients;
  Circumstances then = load_tensors(directory.checkpoint(), state);
  if (then["data"] != now.at("data")) {
    throw UserError(directory.checkpoint(), "belongs to other data [the graph, its features or labels have changed]");
  }
  if (then["settings"] != now.at("settings")) {
    throw UserError(directory.checkpoint(), "belongs to other settings [config.json has changed]");
  }
  return state.front().tensor.data_ptr<std::int64_t>()[0];
}

void save_run(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset, const RunResult& result) {
  save_tensors(directory.model(), experiment.tensors(), {{"model", result.model}, {"version", kVersion}});
  const NodeNames& names = dataset.data.graph.names();
  write_anchors(directory.anchors(), dataset.data.graph, experiment.anchors().anchors);
  write_embeddings(directory.embeddings(), experiment.evaluate().embeddings, names);
  write_node_names(directory.nodes(), names);
  write_file(directory.result(), result_text(result, dataset));
}

}  // namespace

RunDirectory RunDirectory::create(const fs::path& path, bool overwrite) {
  RunDirectory directory(path);
  if (fs::exists(path) && !fs::is_directory(path)) throw UserError(path, "is not a folder [choose another name]");
  const bool is_run = fs::exists(directory.config());
  if (is_run && !overwrite) {
    throw UserError(path, "holds a run already [choose another folder, --overwrite it or --resume it]");
  }
  if (fs::exists(path) && !is_run && !fs::is_empty(path)) {
    throw UserError(path, "holds other files [choose an empty or new folder]");
  }
  fs::create_directories(path);
  for (const fs::path& file : files_of(directory)) fs::remove(file);
  return directory;
}

RunDirectory RunDirectory::open(const fs::path& path) {
  RunDirectory directory(path);
  if (!fs::is_directory(path)) throw UserError(path, "no such folder [give the folder of a run]");
  if (!fs::exists(directory.config())) throw UserError(path, "holds no run: config.json is missing");
  return directory;
}

bool RunDirectory::interrupted() const { return finished() && read_json(result()).value("interrupted", false); }

std::string result_text(const RunResult& result, const Dataset& dataset) {
  ordered_json document = {{"dataset", result.dataset},
                           {"task", task_name(result.task)},
                           {"model", result.model},
                           {"metric", result.metric},
                           {"test", result.test.main()},
                           {"valid", result.valid.main()},
                           {"best_epoch", result.best_epoch},
                           {"epochs", result.epochs},
                           {"seed", result.seed},
                           {"split", result.split},
                           {"seconds", result.seconds},
                           {"version", kVersion},
                           {"graph_fingerprint", dataset.data.graph.fingerprint()},
                           {"data_fingerprint", fingerprint(dataset.data)},
                           {"nodes", dataset.data.graph.num_nodes()},
                           {"features", num_features(dataset.data.features)},
                           {"anchors", result.anchors},
                           {"parameters", result.parameters},
                           {"interrupted", result.interrupted},
                           {"test_figures", figures_json(result.test)},
                           {"valid_figures", figures_json(result.valid)},
                           {"classes", json::array()}};
  if (result.task == Task::kNodeClassification) document["classes"] = dataset.data.labels.names;
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

RunResult train_in_directory(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset, bool resume,
                             const Trainer::Observer& observer) {
  const Circumstances now = circumstances(experiment, dataset);
  const auto save_checkpoint = [&] { save_tensors(directory.checkpoint(), experiment.trainer().state(), now); };
  if (resume) {
    cut_metrics(directory.metrics(), load_checkpoint(directory, experiment, now));
  } else {
    write_file(directory.config(), settings_text(experiment.config()));
  }
  AppendFile metrics(directory.metrics());
  const std::int64_t checkpoint_every = experiment.config().checkpoint_every;
  const RunResult result = experiment.run([&](const EpochReport& report) {
    if (report.valid != nullptr) metrics.add(metrics_line(report));
    if (checkpoint_every > 0 && report.epoch % checkpoint_every == 0) {
      save_checkpoint();
    }
    try {
      if (observer) observer(report);
    } catch (const Interrupted&) {
      save_checkpoint();
      throw;
    }
  });
  save_run(directory, experiment, dataset, result);
  if (experiment.bad_epoch() > 0) {
    throw UserError(directory.path(),
                    "the loss is not a number at epoch {}; the best model before, of epoch {}, is kept [lower --lr or "
                    "set --clip]",
                    experiment.bad_epoch(), result.best_epoch);
  }
  return result;
}

void add_history(const RunDirectory& directory, RunResult& result) {
  const json stored = read_json(directory.result());
  result.best_epoch = stored.value("best_epoch", std::int64_t{0});
  result.epochs = stored.value("epochs", std::int64_t{0});
  result.seconds = stored.value("seconds", 0.0);
  result.interrupted = stored.value("interrupted", false);
}

RunConfig directory_config(const RunDirectory& directory) {
  RunConfig config;
  for (const auto& [name, value] : read_settings(directory.config())) set(config, name, value);
  return config;
}

FinishedRun open_run(const RunDirectory& directory, const fs::path& data_dir) {
  if (!directory.finished()) {
    throw UserError(directory.path(), "the run has not ended [gir train --resume {}]", directory.path().string());
  }
  const json result = read_json(directory.result());
  RunConfig config = directory_config(directory);
  FinishedRun run;
  run.data = std::make_unique<Dataset>(open_data(config.data, data_dir));
  const Graph& graph = run.data->data.graph;
  if (graph.fingerprint() != result.value("graph_fingerprint", "")) {
    throw UserError("{}: the graph is not the one that {} was trained on [its edges or ids have changed]",
                    config.data.graph, directory.path().string());
  }
  if (fingerprint(run.data->data) != result.value("data_fingerprint", "")) {
    throw UserError("{}: features or labels are not those that {} was trained on [they have changed]",
                    config.data.graph, directory.path().string());
  }
  std::vector<NodeId> anchors;
  if (uses_anchors(config)) anchors = read_anchors(directory.anchors(), graph);
  run.experiment = std::make_unique<Experiment>(*run.data, std::move(config), std::move(anchors), Purpose::kUse);
  const at::NoGradGuard no_gradients;
  load_tensors(directory.model(), run.experiment->tensors());
  return run;
}

at::Tensor embed_other_graph(const RunDirectory& directory, const Dataset& other) {
  if (!directory.finished()) throw UserError(directory.path(), "the run has not ended");
  const json result = read_json(directory.result());
  const RunConfig config = directory_config(directory);
  const Graph& graph = other.data.graph;
  if (!Registry<ModelEntry>::get(config.model).inductive) {
    if (graph.fingerprint() == result.value("graph_fingerprint", "")) {
      throw UserError("{}: is the graph that {} was trained on [leave --graph away]", other.name,
                      directory.path().string());
    }
    throw UserError(
        "{}: {} knows the nodes of the graph it was trained on (fingerprint {}) and none of this one (fingerprint {}) "
        "[use gir, gcn, sage or mlp for other graphs]",
        other.name, config.model, result.value("graph_fingerprint", ""), graph.fingerprint());
  }
  if (num_features(other.data.features) != result.value("features", std::int64_t{0})) {
    throw UserError("{}: has {} features a node, the model was trained on {} [give the same ones with --features]",
                    other.name, num_features(other.data.features), result.value("features", std::int64_t{0}));
  }
  AnchorSelection selection;
  if (Registry<ModelEntry>::get(config.model).uses_anchors) {
    selection = select_anchors(graph, {.count = std::min(config.anchors, graph.num_nodes()),
                                       .strategy = config.strategy,
                                       .fill = config.fill,
                                       .seed = config.seed,
                                       .file = config.anchor_file});
  }
  const auto classes = static_cast<std::int64_t>(result.value("classes", json::array()).size());
  const auto model = make_model(config.model,
                                {.graph = graph,
                                 .features = other.data.features,
                                 .anchors = selection.anchors,
                                 .classes = classes,
                                 .seed = config.seed},
                                config.shape);
  const at::NoGradGuard no_gradients;
  load_tensors(directory.model(), model->parameters().all());
  return model->forward({}).embeddings;
}

}  // namespace gir
