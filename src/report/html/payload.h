#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/report/html_report.h"
#include "gir/runs/experiment.h"

/// The payload of a report page, as described in web/src/payload.ts.
namespace gir::html {

using nlohmann::ordered_json;

using Notes = std::vector<std::string>;

/// The member `run`: a run directory. Adds missing parts to `notes`.
ordered_json run_payload(const std::filesystem::path& folder, const HtmlReportOptions& options, Notes& notes);

/// The member `grid`: the folder of a grid, the same.
ordered_json grid_payload(const std::filesystem::path& folder, const HtmlReportOptions& options, Notes& notes);

/// Inputs of node_map().
struct MapInput {
  const Dataset& data;
  const RunConfig& config;
  Experiment* experiment = nullptr;     ///< null: only the graph is available
  const ModelOutput* output = nullptr;  ///< outputs of the model, on the CPU
};

/// The member `run.map`: the graph as it is drawn, with a value of every column per node.
ordered_json node_map(const MapInput& input, const HtmlReportOptions& options, Notes& notes);

/// A finished run and the outputs of its model.
struct EvaluatedRun {
  const Dataset& data;
  const RunConfig& config;
  const Experiment& experiment;
  const at::Tensor& device_outputs;  ///< on the device of the experiment
  const ModelOutput& output;         ///< on the CPU, without NaN or infinite values
  const ordered_json& metrics;       ///< test metrics by name
};

/// The evaluation on the test set: the members `classes`, `pairs` and `fusion` of the run, and `interval` of its
/// result, as far as they apply.
ordered_json evaluate(const EvaluatedRun& run);

/// The first two principal components of rows, [rows, 2]; undefined if a value is NaN or infinite, or if there are
/// fewer than two columns. Their signs, which are arbitrary, are chosen such that the sum of the cubed weights is not
/// negative.
at::Tensor principal_components(const at::Tensor& rows);

/// The names and values of a configuration file, in the order of the file. UserError if it is damaged.
ordered_json settings_list(const std::filesystem::path& file);

}  // namespace gir::html
