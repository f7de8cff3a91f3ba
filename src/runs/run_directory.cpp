#include "gir/runs/run_directory.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include "append_file.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "gir/graph/generators.h"
#include "gir/io/format.h"
#include "gir/io/gzip.h"
#include "gir/io/npy.h"
#include "gir/io/split_files.h"
#include "gir/runs/embeddings.h"
#include "gir/runs/expert_cache.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/metrics_log.h"
#include "gir/runs/tensor_file.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// All files that a run may have written.
std::vector<fs::path> files_of(const RunDirectory& directory) {
  std::vector<fs::path> files = {directory.config(),  directory.model(),      directory.metrics(),
                                 directory.result(),  directory.anchors(),    directory.embeddings(),
                                 directory.nodes(),   directory.checkpoint(), directory.gate(),
                                 directory.experts(), directory.graph(),      directory.refit_checkpoint()};
  for (std::size_t expert = 0; fs::exists(directory.expert_anchors(expert)); ++expert) {
    files.push_back(directory.expert_anchors(expert));
  }
  return files;
}

std::string metrics_line(const EpochReport& report) {
  MetricsLine line{.epoch = report.epoch, .loss = report.loss, .valid = report.valid->values};
  if (report.valid->has_loss()) line.valid.emplace_back("loss", report.valid->loss);
  return metrics_text(line) + "\n";
}

/// Removes the lines after `epoch`: epochs after the checkpoint are trained again.
void cut_metrics(const fs::path& path, std::int64_t epoch) {
  if (!fs::exists(path)) return;
  std::string kept;
  {
    const TextFile file(path);
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      if (end == std::string_view::npos) break;  // an incomplete line
      const std::string_view line = rest.substr(0, end + 1);
      const auto metrics = parse_metrics(line);
      if (!metrics || metrics->epoch > epoch) break;
      kept += line;
      rest.remove_prefix(end + 1);
    }
  }
  write_file(path, kept);
}

/// What the remaining epochs depend on besides the state of the trainer; stored as metadata of the checkpoint.
using TrainingInputs = std::map<std::string, std::string>;

TrainingInputs training_inputs(const Experiment& experiment, const Dataset& dataset) {
  return {{"settings", run_fingerprint(experiment.config(), "", experiment.context())},
          {"data", fingerprint(dataset.data)},
          {"device", experiment.context().mark()}};
}

/// Loads a checkpoint and returns its number of completed epochs; 0 if there is none.
std::int64_t load_checkpoint(const fs::path& checkpoint, Experiment& experiment, const TrainingInputs& now) {
  if (!fs::exists(checkpoint)) return 0;
  const std::vector<NamedTensor> state = experiment.trainer().state();
  const at::NoGradGuard no_gradients;
  TrainingInputs then = load_tensors(checkpoint, state, {{"best-evaluation", "best-look"}});
  if (then["device"].empty()) then["device"] = Context().mark();  // as older versions stored the CPU
  if (then["data"] != now.at("data")) {
    throw UserError(checkpoint, "belongs to other data [the graph, its features or its labels have changed]");
  }
  if (then["device"] != now.at("device")) {
    throw UserError(checkpoint,
                    "was written by a training on {} [continue on the same `device`, with the "
                    "same `precision`]",
                    then["device"]);
  }
  if (then["settings"] != now.at("settings")) {
    throw UserError(checkpoint, "belongs to other settings [config.json has changed]");
  }
  return state.front().tensor.data_ptr<std::int64_t>()[0];
}

/// The anchor files of a model, and their contents.
std::map<fs::path, std::vector<NodeId>> anchor_files(const RunDirectory& directory, const Experiment& experiment) {
  const AnchorLists lists = experiment.anchor_lists();
  if (experiment.config().fusion.experts.empty()) return {{directory.anchors(), lists.front()}};
  std::map<fs::path, std::vector<NodeId>> files;
  for (std::size_t i = 0; i < lists.size(); ++i) files[directory.expert_anchors(i)] = lists[i];
  return files;
}

void save_anchors(const RunDirectory& directory, const Experiment& experiment, const Graph& graph) {
  if (!experiment.config().fusion.experts.empty()) {  // additionally the anchors of all experts in one file
    write_anchors(directory.anchors(), graph, experiment.anchors().anchors);
  }
  for (const auto& [file, anchors] : anchor_files(directory, experiment)) write_anchors(file, graph, anchors);
}

std::string fingerprint_of(std::span<const NodeId> anchors) { return Fingerprint().add("anchors", anchors).hex(); }

/// The metadata of a model file, with fingerprints of the anchors that the model was trained with.
std::map<std::string, std::string> model_metadata(const RunDirectory& directory, const Experiment& experiment) {
  std::map<std::string, std::string> metadata = {{"model", experiment.config().model}, {"version", kVersion}};
  for (const auto& [file, anchors] : anchor_files(directory, experiment)) {
    metadata[file.filename().string()] = fingerprint_of(anchors);
  }
  return metadata;
}

/// Whether the graph cannot be opened again by the name that the configuration has for it.
bool is_from_memory(const Dataset& dataset, const DataRequest& request) {
  const std::string& name = request.graph;
  if (name.empty() && !request.split_from.empty()) return false;  // the split has the edges
  const DatasetEntry* entry = Registry<DatasetEntry>::find(name);
  const bool made = entry != nullptr ? entry->make != nullptr : Registry<Generator>::find(name) != nullptr;
  if (!made) return entry == nullptr && !fs::exists(name);
  const Dataset again = open_dataset(name, {}, request.read);  // with the default parameters
  return again.data.graph.fingerprint() != dataset.data.graph.fingerprint();
}

void write_gate(const fs::path& path, const at::Tensor& gate) {
  const at::Tensor values = gate.cpu().contiguous();
  write_npy(path, npy_view({values.data_ptr<float>(), static_cast<std::size_t>(values.numel())}, values.sizes().vec()));
}

/// The embeddings of a run are not evaluated, so all edges carry messages.
at::Tensor vectors_of(Experiment& experiment) {
  if (experiment.task() != Task::kLinkPrediction) return experiment.forward().embeddings;
  return experiment.with_messages(MessageEdges::kAll)->forward().embeddings;
}

void save_run(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset, const RunResult& result,
              bool vectors) {
  save_tensors(directory.model(), experiment.tensors(), model_metadata(directory, experiment));
  save_anchors(directory, experiment, dataset.data.graph);
  if (vectors) {
    write_embeddings(directory.embeddings(), vectors_of(experiment), dataset.data.graph.names());
    write_node_names(directory.nodes(), dataset.data.graph.names());
  }
  const ModelOutput output = experiment.forward();
  if (output.gate.defined()) write_gate(directory.gate(), output.gate);
  write_file(directory.result(), record_text(make_record(result, dataset)));
}

/// UserError unless the run was trained with this split of the user.
void check_split(const RunDirectory& directory, const std::string& split) {
  const std::string trained_with = read_record(directory).result.split_fingerprint;
  const std::string run = directory.path().string();
  if (trained_with.empty()) {
    throw UserError("{}: {} was not trained with a split from files [omit `split-from`]", split, run);
  }
  if (trained_with != split_fingerprint(split)) {
    throw UserError("{}: is not the split that {} was trained with [give that one with `split-from`]", split, run);
  }
}

}  // namespace

void RunDirectory::check_new(const fs::path& path, bool overwrite) {
  const RunDirectory directory(path);
  if (fs::exists(path) && !fs::is_directory(path)) throw UserError(path, "is not a folder [choose another name]");
  const bool is_run = fs::exists(directory.config());
  if (is_run && !overwrite) {
    throw UserError(path, "already contains a run [choose another folder, `overwrite` it, or `resume` its training]");
  }
  if (fs::exists(path) && !is_run && !fs::is_empty(path)) {
    throw UserError(path, "contains other files [choose an empty or new folder]");
  }
}

RunDirectory RunDirectory::create(const fs::path& path, bool overwrite) {
  check_new(path, overwrite);
  RunDirectory directory(path);
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw UserError(path, "cannot be created: {} [choose another folder]", error.message());
  for (const fs::path& file : files_of(directory)) fs::remove_all(file);
  return directory;
}

RunDirectory RunDirectory::open(const fs::path& path) {
  RunDirectory directory(path);
  if (!fs::is_directory(path)) throw UserError(path, "no such folder [give the folder of a run]");
  if (!fs::exists(directory.config())) {
    throw UserError(path, "contains no run: config.json is missing [give the folder of a run]");
  }
  return directory;
}

bool RunDirectory::interrupted() const { return finished() && read_record(*this).result.interrupted; }

fs::path RunDirectory::expert_anchors(std::size_t expert) const {
  return path_ / fmt::format("anchors-{}.txt", expert + 1);
}

RunResult train_in_directory(const RunDirectory& directory, Experiment& experiment, const Dataset& dataset,
                             const DirectoryOptions& options, const Trainer::Observer& observer) {
  const TrainingInputs now = training_inputs(experiment, dataset);
  const auto save_checkpoint = [&](const fs::path& path) { save_tensors(path, experiment.trainer().state(), now); };
  if (options.resume) {
    cut_metrics(directory.metrics(), load_checkpoint(directory.checkpoint(), experiment, now));
  }
  write_file(directory.config(), settings_text(experiment.config(), directory.path()));
  if (options.graph_copy && is_from_memory(dataset, experiment.config().data)) {
    write_graph(directory.graph(), dataset.data);
  }
  AppendFile metrics(directory.metrics());
  const std::int64_t checkpoint_every = experiment.config().checkpoint_every;
  const std::string& shared = experiment.config().fusion.cache;
  ExpertCache cache(shared.empty() ? directory.experts() : fs::path(shared));
  const auto train_expert = [&](Experiment& expert, const Trainer::Observer& watch) {
    cache.train(expert, dataset, watch);
  };
  const auto after_epoch = [&](const EpochReport& report) {
    const bool is_refit = report.stage == Experiment::kRefitStage;
    if (!report.stage.empty() && !is_refit) {  // training of an expert, which has its own run directory
      if (observer) observer(report);
      return;
    }
    if (report.valid != nullptr) metrics.add(metrics_line(report));
    // The last training does not repeat the first one when it is resumed.
    const bool refit_follows = experiment.config().refit && report.last;
    const fs::path checkpoint = is_refit ? directory.refit_checkpoint() : directory.checkpoint();
    if ((checkpoint_every > 0 && report.epoch % checkpoint_every == 0) || (refit_follows && !is_refit)) {
      save_checkpoint(checkpoint);
    }
    try {
      if (observer) observer(report);
    } catch (const Interrupted&) {
      save_checkpoint(checkpoint);
      throw;
    }
  };
  const auto before_refit = [&](Experiment& refit) {
    if (options.resume) load_checkpoint(directory.refit_checkpoint(), refit, now);
  };
  const RunResult result = experiment.run(after_epoch, train_expert, before_refit);
  save_run(directory, experiment, dataset, result, options.vectors);
  return result;
}

RunRecord read_record(const RunDirectory& directory) {
  if (!directory.finished()) throw UserError(directory.path(), "the run is not finished [`resume` its training]");
  return read_record(directory.result());
}

void add_history(const RunDirectory& directory, RunResult& result) {
  const RunResult stored = read_record(directory).result;
  result.best_epoch = stored.best_epoch;
  result.epochs = stored.epochs;
  if (result.valid.values.empty()) result.valid = stored.valid;  // of the training that chose the epoch
  result.seconds = stored.seconds;
  result.prepare_seconds = stored.prepare_seconds;
  result.bad_epoch = stored.bad_epoch;
  result.interrupted = stored.interrupted;
  result.reach = stored.reach;
  result.baselines = stored.baselines;
  result.warnings = stored.warnings;
}

void load_model(const RunDirectory& directory, Experiment& experiment) {
  const at::NoGradGuard no_gradients;
  const auto metadata = load_tensors(directory.model(), experiment.tensors());
  const std::string& split = experiment.config().data.split_from;
  if (!split.empty()) check_split(directory, split);
  for (const auto& [file, anchors] : anchor_files(directory, experiment)) {
    const auto trained_with = metadata.find(file.filename().string());
    if (trained_with == metadata.end() || trained_with->second == fingerprint_of(anchors)) continue;
    throw UserError(file,
                    "does not contain the anchors that the model was trained with [restore the file or train again]");
  }
}

SettingValues directory_settings(const RunDirectory& directory) {
  SettingValues values = read_settings(directory.config());
  if (!fs::exists(directory.graph())) return values;
  std::erase_if(values, [](const auto& each) {
    const DataRole role = find_setting(each.first).scope.data;
    return role == DataRole::kFile || role == DataRole::kReading;  // the copy has everything
  });
  values["graph"] = directory.graph().string();
  return values;
}

RunConfig directory_config(const RunDirectory& directory) {
  RunConfig config;
  for (const auto& [name, value] : directory_settings(directory)) set(config, name, value);
  return config;
}

}  // namespace gir
