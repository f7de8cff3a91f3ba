#pragma once

#include <filesystem>
#include <memory>

#include "gir/core/export.h"
#include "gir/runs/run_directory.h"

namespace gir {

/// A finished run, ready for use, with its data and its parameters loaded.
struct GIR_API FinishedRun {
  std::unique_ptr<Dataset> data;
  std::unique_ptr<Experiment> experiment;
};

/// UserError if the run is not finished, or if the graph is not the one that it was trained on.
GIR_API FinishedRun open_run(const RunDirectory& directory, const Context& context = {},
                             const std::filesystem::path& data_dir = {});

/// The model of a finished run, which must be inductive, on another graph, which must outlive the result. Anchors are
/// selected on that graph with the settings of the run. UserError for transductive models, and if the number of
/// features differs.
GIR_API std::unique_ptr<Experiment> open_on_other_graph(const RunDirectory& directory, const Dataset& other,
                                                        const Context& context = {});

}  // namespace gir
