#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/runs/run_directory.h"

namespace gir {

struct GIR_API OpenOptions {
  Context context = {};
  std::filesystem::path data_dir = {};

  /// Where the data of the run is now; empty members: where the run found it. Reading options that are not set are
  /// those of the run. `graph` may have another format than the graph of the run, or be another graph.
  DataRequest data = {};

  bool other_graph = true;  ///< accept another graph than that of the run, for inductive models
};

/// A finished run, ready for use, with its data and its parameters loaded.
struct GIR_API FinishedRun {
  std::unique_ptr<Dataset> data;
  std::unique_ptr<Experiment> experiment;
  std::vector<std::string> classes;  ///< of nc
  bool other_graph = false;          ///< the graph is not that of the run: see open_on_other_graph()
};

/// Opens a run with the data that it was trained on, which is recognised by its fingerprint, wherever it is, or with
/// another graph. UserError if the run is not finished, if a file is missing, or if the data is not that of the run and
/// the model is transductive.
GIR_API FinishedRun open_run(const RunDirectory& directory, const OpenOptions& options = {});

/// The same with data from memory, which must outlive the result. UserError if it is not the data of the run.
GIR_API std::unique_ptr<Experiment> open_run(const RunDirectory& directory, const Dataset& dataset,
                                             const Context& context = {});

/// The data of a run, finished or not. Separate files of features and labels belong to the graph of the run: they are
/// not read for another graph. UserError if a file is missing.
GIR_API Dataset open_run_data(const RunDirectory& directory, const OpenOptions& options = {});

/// The model of a finished run, which must be inductive, on another graph, which must outlive the result. Anchors are
/// selected on that graph with the settings of the run. UserError for transductive models, and if the number of
/// features differs.
GIR_API std::unique_ptr<Experiment> open_on_other_graph(const RunDirectory& directory, const Dataset& other,
                                                        const Context& context = {});

}  // namespace gir
