#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>

#include <cmath>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/runs/run_directory.h"
#include "payload.h"

namespace gir::html {
namespace {

namespace fs = std::filesystem;

std::string text_of(const ordered_json& stored, const char* name, const std::string& otherwise) {
  const ordered_json value = stored.value(name, ordered_json());
  return value.is_string() ? value.get<std::string>() : otherwise;
}

/// A number, or null for anything else.
ordered_json figure(const ordered_json& value) { return value.is_number() ? value : ordered_json(); }

/// What result.json says; nothing, with a note, where it is missing or damaged.
std::optional<ordered_json> read_result(const RunDirectory& directory, Notes& notes) {
  if (!directory.finished()) {
    notes.push_back(
        fmt::format("the run has not ended: there is no result.json, so no test figure and no predictions "
                    "[gir train --resume {}]",
                    shell_word(directory.path().string())));
    return std::nullopt;
  }
  const TextFile file(directory.result());
  ordered_json document = ordered_json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  const bool whole = document.is_object() && document.value("test_figures", ordered_json()).is_object() &&
                     document.value("valid_figures", ordered_json()).is_object() &&
                     document.value("metric", ordered_json()).is_string();
  if (whole) return document;
  notes.push_back("result.json is damaged: no figures and no predictions are shown [train the run again]");
  return std::nullopt;
}

ordered_json result_json(const ordered_json& stored) {
  const auto figures = [](const ordered_json& given) {
    ordered_json numbers = ordered_json::object();
    for (const auto& [name, value] : given.items()) numbers[name] = figure(value);
    return numbers;
  };
  const auto whole = [&](const char* name) {
    const ordered_json value = stored.value(name, ordered_json());
    return value.is_number_integer() ? value.get<std::int64_t>() : 0;
  };
  return {{"test", figures(stored.at("test_figures"))},
          {"valid", figures(stored.at("valid_figures"))},
          {"best_epoch", whole("best_epoch")},
          {"epochs", whole("epochs")},
          {"interrupted", stored.value("interrupted", ordered_json()) == ordered_json(true)}};
}

/// Looks at the validation data. Lines that are none end the curve: a program that was killed leaves half a line.
ordered_json curve_json(const RunDirectory& directory, const std::string& metric, Notes& notes) {
  ordered_json epochs = ordered_json::array(), losses = ordered_json::array(), valid = ordered_json::array();
  if (!fs::exists(directory.metrics())) {
    notes.push_back("metrics.jsonl is missing: there are no curves");
  } else {
    const TextFile file(directory.metrics());
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      const ordered_json line = ordered_json::parse(rest.substr(0, end), nullptr, /*allow_exceptions=*/false);
      if (!line.is_object() || !line.value("epoch", ordered_json()).is_number_integer()) {
        if (end != std::string_view::npos) {
          notes.push_back(fmt::format("metrics.jsonl is damaged: curves end after {} looks", epochs.size()));
        }
        break;
      }
      epochs.push_back(line["epoch"]);
      losses.push_back(figure(line.value("loss", ordered_json())));
      valid.push_back(figure(line.value("valid_" + metric, ordered_json())));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (epochs.empty()) notes.push_back("metrics.jsonl holds nothing yet: there are no curves");
  }
  return {{"epoch", epochs}, {"loss", losses}, {"valid", valid}};
}

ordered_json facts_json(const ordered_json& stored) {
  ordered_json facts = ordered_json::array();
  const auto add = [&](const char* name, const char* title, bool counts = true) {
    const ordered_json value = stored.value(name, ordered_json());
    if (value.is_null()) return;
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_number_integer() && counts) text = with_thousands(value.get<std::int64_t>());
    if (value.is_number_float()) text = fmt::format("{:.2f}", value.get<double>());
    facts.push_back({title, text});
  };
  add("nodes", "nodes");
  add("features", "features a node");
  add("anchors", "anchors");
  add("parameters", "trained values");
  add("epochs", "epochs");
  add("seconds", "seconds");
  add("device", "device");
  add("seed", "seed", false);
  add("split", "split", false);
  add("graph_fingerprint", "the graph's fingerprint");
  add("data_fingerprint", "the data's fingerprint");
  add("version", "trained by gir");
  return facts;
}

/// A run's data and, where it has ended, its model.
struct OpenedRun {
  std::unique_ptr<Dataset> data;
  std::unique_ptr<Experiment> experiment;
};

/// Whatever of it can be had. A graph that has changed since is not the run's.
OpenedRun open_what_there_is(const RunDirectory& directory, const RunConfig& config,
                             const std::optional<ordered_json>& stored, const fs::path& data_dir, Notes& notes) {
  if (stored) {
    try {
      FinishedRun run = open_run(directory, data_dir);
      return {std::move(run.data), std::move(run.experiment)};
    } catch (const UserError& error) {
      notes.push_back(
          fmt::format("the model cannot be applied again, so its predictions are not shown: {}", error.what()));
    }
  }
  try {
    auto data = std::make_unique<Dataset>(open_data(config.data, data_dir));
    const ordered_json trained_on = stored ? stored->value("graph_fingerprint", ordered_json()) : ordered_json();
    if (trained_on.is_string() && trained_on != data->data.graph.fingerprint()) return {};
    return {std::move(data), nullptr};
  } catch (const UserError& error) {
    notes.push_back(fmt::format("the graph is not shown: {}", error.what()));
    return {};
  }
}

bool all_numbers(const ModelOutput& output) {
  for (const at::Tensor* tensor : {&output.embeddings, &output.outputs, &output.gate}) {
    if (tensor->defined() && !at::isfinite(*tensor).all().item<bool>()) return false;
  }
  return true;
}

ModelOutput on_processor(const ModelOutput& output) {
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
  const std::optional<ordered_json> stored = read_result(directory, notes);
  const std::string metric =
      stored ? stored->at("metric").get<std::string>() : std::string(config.task == "nc" ? "accuracy" : "roc_auc");
  ordered_json run = {
      {"folder", folder.string()},
      {"dataset", stored ? text_of(*stored, "dataset", config.data.graph) : config.data.graph},
      {"task", config.task},
      {"model", config.model},
      {"command", fmt::format("gir train --config {}{} -o again", shell_word(directory.config().string()),
                              stored ? device_flags(text_of(*stored, "device", "cpu")) : "")},
      {"settings", settings_list(directory.config())},
      {"facts", stored ? facts_json(*stored) : ordered_json::array()},
      {"metric", metric}};
  if (stored) run["result"] = result_json(*stored);
  run["curve"] = curve_json(directory, metric, notes);
  const OpenedRun opened = open_what_there_is(directory, config, stored, options.data_dir, notes);
  if (!opened.data) return run;
  run["facts"].push_back({"edges", with_thousands(count_undirected_edges(opened.data->data.graph))});
  const at::NoGradGuard no_gradients;
  MapInput input{.data = *opened.data, .config = config, .experiment = opened.experiment.get()};
  ModelOutput output;
  if (opened.experiment) {
    const ModelOutput there = opened.experiment->evaluate();
    output = on_processor(there);
    if (all_numbers(output)) {
      input.output = &output;
      const ordered_json made = judgement({.data = *opened.data,
                                           .config = config,
                                           .experiment = *opened.experiment,
                                           .outputs_there = there.outputs,
                                           .output = output,
                                           .figures = run["result"]["test"]});
      for (const auto& [name, value] : made.items()) (name == "interval" ? run["result"] : run)[name] = value;
    } else {
      notes.push_back("the model's outputs are not all numbers, so its predictions are not shown");
    }
  }
  if (opened.data->data.graph.num_nodes() > 0) run["map"] = node_map(input, options, notes);
  return run;
}

}  // namespace gir::html
