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

/// What a report's page is told, as web/src/payload.ts describes it.
namespace gir::html {

using nlohmann::ordered_json;

using Notes = std::vector<std::string>;

/// `run` of a run directory. Adds to `notes` what is not there.
ordered_json run_payload(const std::filesystem::path& folder, const HtmlReportOptions& options, Notes& notes);

/// `grid` of a grid's folder, the same.
ordered_json grid_payload(const std::filesystem::path& folder, const HtmlReportOptions& options, Notes& notes);

/// What a run's graph is drawn from.
struct MapInput {
  const Dataset& data;
  const RunConfig& config;
  Experiment* experiment = nullptr;     ///< none: nothing is known but the graph
  const ModelOutput* output = nullptr;  ///< its outputs, on the processor
};

/// `run.map`.
ordered_json node_map(const MapInput& input, const HtmlReportOptions& options, Notes& notes);

/// A finished run and what its model says.
struct JudgedRun {
  const Dataset& data;
  const RunConfig& config;
  const Experiment& experiment;
  const at::Tensor& outputs_there;  ///< on the device that computes
  const ModelOutput& output;        ///< on the processor; all numbers
  const ordered_json& figures;      ///< of the test, by name
};

/// What it says about the nodes or pairs that it is judged on: `classes`, `pairs`, `fusion` of the page's run, and
/// `interval` of its result, those that there are.
ordered_json judgement(const JudgedRun& run);

/// The first two principal components of rows, [rows, 2], each with the larger half of its weight positive; undefined
/// where a value is not a number or there are no two columns.
at::Tensor principal_components(const at::Tensor& rows);

/// What a configuration file says, names and values in its order. UserError where it is none.
ordered_json settings_list(const std::filesystem::path& file);

}  // namespace gir::html
