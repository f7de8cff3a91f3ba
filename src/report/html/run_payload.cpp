#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>

#include <cmath>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/runs/metrics_log.h"
#include "gir/runs/open_run.h"
#include "gir/runs/run_record.h"
#include "payload.h"

namespace gir::html {
namespace {

namespace fs = std::filesystem;

/// A number, or null for anything else.
ordered_json number_or_null(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

/// Reads result.json; nothing, with a note, if it is missing or damaged.
std::optional<RunRecord> read_result(const RunDirectory& directory, Notes& notes) {
  if (!directory.finished()) {
    notes.push_back(
        "the run is not finished: there is no result.json, so no test metrics and no predictions are shown [`resume` "
        "its training]");
    return std::nullopt;
  }
  try {
    RunRecord record = read_record(directory.result());
    const RunResult& result = record.result;
    if (!result.metric.empty() && !result.valid.values.empty()) return record;
  } catch (const UserError&) {  // handled like an incomplete record below
  }
  notes.push_back("result.json is damaged: no metrics and no predictions are shown [train the run again]");
  return std::nullopt;
}

ordered_json result_json(const RunResult& result) {
  const auto numbers = [](const Metrics& metrics) {
    ordered_json made = ordered_json::object();
    for (const auto& [name, value] : metrics.values) {
      made[name] = std::isfinite(value) ? ordered_json(value) : ordered_json();
    }
    return made;
  };
  ordered_json test = numbers(result.test);
  if (result.test.values.empty()) {  // there is no test set
    for (const auto& [name, value] : result.valid.values) test[name] = ordered_json();
  }
  return {{"test", std::move(test)},
          {"valid", numbers(result.valid)},
          {"best_epoch", result.best_epoch},
          {"epochs", result.epochs},
          {"interrupted", result.interrupted}};
}

/// The evaluations on the validation set. The curve ends at the first invalid line: a program that was killed leaves an
/// incomplete one.
ordered_json curve_json(const RunDirectory& directory, const std::string& metric, Notes& notes) {
  ordered_json epochs = ordered_json::array(), losses = ordered_json::array(), valid = ordered_json::array();
  if (!fs::exists(directory.metrics())) {
    notes.push_back("metrics.jsonl is missing: there are no curves");
  } else {
    const TextFile file(directory.metrics());
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      const std::optional<MetricsLine> line = parse_metrics(rest.substr(0, end));
      if (!line) {
        if (end != std::string_view::npos) {
          notes.push_back(fmt::format("metrics.jsonl is damaged: curves end after {} evaluations", epochs.size()));
        }
        break;
      }
      epochs.push_back(line->epoch);
      losses.push_back(number_or_null(line->loss));
      valid.push_back(number_or_null(line->metric(metric)));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (epochs.empty()) notes.push_back("metrics.jsonl is empty: there are no curves");
  }
  return {{"epoch", epochs}, {"loss", losses}, {"valid", valid}};
}

/// Names and values, in the order in which the page lists them. (A list of pairs would become a JSON object.)
ordered_json facts_json(const RunRecord& record) {
  const RunResult& result = record.result;
  ordered_json facts = ordered_json::array();
  const auto add = [&](const char* name, const std::string& value) {
    facts.push_back(ordered_json::array({name, value}));
  };
  add("nodes", with_thousands(record.nodes));
  add("features per node", with_thousands(record.features));
  add("anchors", with_thousands(result.anchors));
  add("trained parameters", with_thousands(result.parameters));
  add("epochs", with_thousands(result.epochs));
  add("seconds", fmt::format("{:.2f}", result.seconds));
  add("device", result.device);
  add("seed", std::to_string(result.seed));
  add("split", std::to_string(result.split));
  add("fingerprint of the graph", record.graph_fingerprint);
  add("fingerprint of the data", record.data_fingerprint);
  add("trained by gir", record.version);
  return facts;
}

/// The data of a run and, if it is finished, its model.
struct OpenedRun {
  std::unique_ptr<Dataset> data;
  std::unique_ptr<Experiment> experiment;
};

/// Opens as much as possible. If the graph has changed since the training, it is not shown.
OpenedRun open_available(const RunDirectory& directory, const std::optional<RunRecord>& stored,
                         const HtmlReportOptions& options, Notes& notes) {
  const OpenOptions where{
      .context = options.context, .data_dir = options.data_dir, .data = options.data, .other_graph = false};
  std::string reason;
  if (stored) {
    try {
      FinishedRun run = open_run(directory, where);
      return {std::move(run.data), std::move(run.experiment)};
    } catch (const UserError& error) {
      reason = error.what();
      notes.push_back(fmt::format("the model cannot be applied again, so its predictions are not shown: {}", reason));
    }
  }
  try {
    auto data = std::make_unique<Dataset>(open_run_data(directory, where));
    if (stored && stored->graph_fingerprint != data->data.graph.fingerprint()) return {};
    return {std::move(data), nullptr};
  } catch (const UserError& error) {
    notes.push_back(error.what() == reason ? "the graph is not shown for the same reason"
                                           : fmt::format("the graph is not shown: {}", error.what()));
    return {};
  }
}

bool all_finite(const ModelOutput& output) {
  for (const at::Tensor* tensor : {&output.embeddings, &output.outputs, &output.gate}) {
    if (tensor->defined() && !at::isfinite(*tensor).all().item<bool>()) return false;
  }
  return true;
}

ModelOutput on_cpu(const ModelOutput& output) {
  const auto copy = [](const at::Tensor& tensor) {
    return tensor.defined() ? tensor.detach().cpu().contiguous() : tensor;
  };
  ModelOutput result{.embeddings = copy(output.embeddings), .outputs = copy(output.outputs), .gate = copy(output.gate)};
  for (const at::Tensor& expert : output.experts) result.experts.push_back(copy(expert));
  return result;
}

}  // namespace

ordered_json run_payload(const fs::path& folder, const HtmlReportOptions& options, Notes& notes) {
  const RunDirectory directory = RunDirectory::open(folder);
  const RunConfig config = directory_config(directory);
  const std::optional<RunRecord> stored = read_result(directory, notes);
  const std::string metric = stored ? stored->result.metric : main_metric(config);
  const RunToRepeat again{.config = directory.config(), .device = stored ? stored->result.device : "cpu"};
  const std::string command = options.command ? options.command(again) : "";
  ordered_json run = {{"folder", folder.string()},
                      {"dataset", stored ? stored->result.dataset : config.data.graph},
                      {"task", config.task},
                      {"model", config.model},
                      {"command", command},
                      {"settings", settings_list(directory.config())},
                      {"facts", stored ? facts_json(*stored) : ordered_json::array()},
                      {"metric", metric}};
  if (stored) run["result"] = result_json(stored->result);
  if (stored && stored->result.refit) {
    notes.push_back(
        "the model was trained once more on training and validation data: curves and validation metrics are those of "
        "the model before that, everything else is that of the last model");
  }
  run["curve"] = curve_json(directory, metric, notes);
  const OpenedRun opened = open_available(directory, stored, options, notes);
  if (!opened.data) return run;
  run["facts"].push_back(
      ordered_json::array({"edges", with_thousands(count_undirected_edges(opened.data->data.graph))}));
  const at::NoGradGuard no_gradients;
  MapInput input{.data = *opened.data, .config = config, .experiment = opened.experiment.get()};
  ModelOutput output;
  if (opened.experiment) {
    const ModelOutput device_output = opened.experiment->forward();
    output = on_cpu(device_output);
    if (all_finite(output)) {
      input.output = &output;
      const ordered_json made = evaluate({.data = *opened.data,
                                          .config = config,
                                          .experiment = *opened.experiment,
                                          .device_outputs = device_output.outputs,
                                          .output = output,
                                          .metrics = run["result"]["test"]});
      for (const auto& [name, value] : made.items()) (name == "interval" ? run["result"] : run)[name] = value;
    } else {
      notes.push_back("the outputs of the model have NaN or infinite values, so its predictions are not shown");
    }
  }
  if (opened.data->data.graph.num_nodes() > 0) run["map"] = node_map(input, options, notes);
  return run;
}

}  // namespace gir::html
