#include "run_data.h"

#include "gir/core/error.h"
#include "gir/io/tables.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

bool is_known_by_name(const std::string& graph) { return Registry<DatasetEntry>::find(graph) != nullptr; }

/// How the graph `now` is read: as the graph `before` of a run was, except for the `given` options. Options of text
/// files apply to the same kind of file only.
ReadOptions reading(const ReadOptions& given, const ReadOptions& of_run, const fs::path& before, const fs::path& now) {
  ReadOptions options = of_run;
  if (is_known_by_name(now.string()) || before.extension() != now.extension()) {
    options = {};
    options.directed = of_run.directed;
  }
  if (!given.format.empty()) options.format = given.format;
  if (given.directed) options.directed = given.directed;
  if (given.text_ids) options.text_ids = true;
  if (given.num_nodes) options.num_nodes = given.num_nodes;
  if (!given.columns.empty()) options.columns = given.columns;
  if (given.header != HeaderLine::kAuto) options.header = given.header;
  return options;
}

void check_exists(const std::string& path, std::string_view setting, const RunDirectory& directory) {
  if (!fs::path(path).is_absolute() || fs::exists(path)) return;
  throw UserError("{}: no such file, but {} was trained on it [give the file at its new place with `{}`]", path,
                  directory.path().string(), setting);
}

/// Nothing if the run is not finished or its result.json is damaged: its data can be read all the same.
std::optional<RunRecord> available_record(const RunDirectory& directory) {
  try {
    return read_record(directory);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

/// Reads the graph that the user gives for a run. The number of nodes that the run set is for its own graph only.
Dataset open_given(DataRequest request, const ReadOptions& given, const std::optional<RunRecord>& record,
                   const fs::path& data_dir) {
  if (!request.read.num_nodes || given.num_nodes) return open_data(request, data_dir);
  try {
    Dataset dataset = open_data(request, data_dir);
    if (!record || is_graph_of(*record, dataset)) return dataset;
  } catch (const UserError&) {  // more nodes than that
  }
  request.read.num_nodes.reset();
  return open_data(request, data_dir);
}

/// The given graph with the nodes that only the files of the run name; nothing where that is not the run's graph
/// either.
std::optional<Dataset> open_with_files_of_run(DataRequest request, const DataRequest& files, const RunRecord& record,
                                              const fs::path& data_dir) {
  if (files.features.empty() && files.labels.empty()) return std::nullopt;
  if (request.features.empty()) request.features = files.features;
  if (request.labels.empty()) request.labels = files.labels;
  request.read.columns = files.read.columns;
  try {
    Dataset dataset = open_data(request, data_dir);
    if (is_graph_of(record, dataset)) return dataset;
  } catch (const UserError&) {  // the files belong to another graph
  }
  return std::nullopt;
}

}  // namespace

bool is_graph_of(const RunRecord& record, const Dataset& dataset) {
  return dataset.data.graph.fingerprint() == record.graph_fingerprint;
}

bool is_data_of(const RunRecord& record, const Dataset& dataset) {
  if (!is_graph_of(record, dataset)) return false;
  const bool only_edges = record.result.task == Task::kLinkPrediction && record.features == 0;
  return (only_edges && num_features(dataset.data.features) == 0) ||
         fingerprint(dataset.data) == record.data_fingerprint;
}

void check_data(const RunDirectory& directory, const RunRecord& record, const Dataset& dataset) {
  if (!is_graph_of(record, dataset)) {
    throw UserError("{}: the graph is not the one that {} was trained on: its edges or ids differ [give that graph]",
                    dataset.name, directory.path().string());
  }
  if (!is_data_of(record, dataset)) {
    throw UserError(
        "{}: features or labels are not those that {} was trained on [give those with `features` and `labels`]",
        dataset.name, directory.path().string());
  }
}

Dataset open_run_data(const RunDirectory& directory, const OpenOptions& options) {
  const DataRequest of_run = directory_config(directory).data;
  const DataRequest& given = options.data;
  const bool same_place = given.graph.empty();
  const std::optional<RunRecord> record = available_record(directory);
  DataRequest request = given;
  request.graph = same_place ? of_run.graph : given.graph;
  if (given.split_from.empty()) request.split_from = of_run.split_from;
  if (same_place) check_exists(request.graph, "graph", directory);
  if (request.graph.empty()) check_exists(request.split_from, "split-from", directory);
  request.read = reading(given.read, of_run.read, of_run.graph, request.graph);
  DataRequest rest;
  if (given.features.empty()) rest.features = of_run.features;
  if (given.labels.empty()) rest.labels = of_run.labels;
  rest.read.columns = given.read.columns.empty() ? of_run.read.columns : given.read.columns;
  rest.read.header = given.read.header == HeaderLine::kAuto ? of_run.read.header : given.read.header;
  if (!rest.labels.empty()) request.read = without_label_options(request.graph, request.read);
  Dataset dataset =
      same_place ? open_data(request, options.data_dir) : open_given(request, given.read, record, options.data_dir);
  if (!same_place && record && !is_graph_of(*record, dataset)) {
    auto completed =
        dataset.data.may_lack_nodes ? open_with_files_of_run(request, rest, *record, options.data_dir) : std::nullopt;
    if (!completed) return dataset;
    completed->name = record->result.dataset;
    return std::move(*completed);
  }
  check_exists(request.split_from, "split-from", directory);
  check_exists(rest.features, "features", directory);
  check_exists(rest.labels, "labels", directory);
  read_node_files(dataset, rest);
  if (record && is_data_of(*record, dataset)) dataset.name = record->result.dataset;
  return dataset;
}

}  // namespace gir
