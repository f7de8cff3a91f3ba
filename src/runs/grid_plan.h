#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/error.h"
#include "gir/data/dataset.h"
#include "gir/runs/grid.h"
#include "gir/runs/run_config.h"

namespace gir {

/// One run of a grid.
struct GridRun {
  const Dataset* dataset;
  std::string data;   ///< its fingerprint
  std::string model;  ///< with its own settings
  RunConfig config;
  std::string settings;  ///< hash
};

/// An error of a run, with its model and data set before the message.
UserError named_error(const std::string& model, const Dataset& dataset, std::string_view message);

/// UserError for an invalid request, before any data is read.
void check(const GridOptions& options);

std::vector<std::unique_ptr<Dataset>> open_datasets(const GridOptions& options);

/// All runs, in the order data sets, models, splits, seeds. UserError for settings that do not fit, and for two models
/// that are the same everywhere.
std::vector<GridRun> list_runs(const GridOptions& options, const std::vector<std::unique_ptr<Dataset>>& datasets);

/// Writes the settings of the runs into the folder, each once.
void write_settings(const std::filesystem::path& folder, const std::vector<GridRun>& runs);

/// The request that the runs belong to.
GridRequest request_of(const GridOptions& options, const std::vector<GridRun>& runs);

/// Writes the file that read_grid_request() reads.
void write_grid_request(const std::filesystem::path& folder, const GridRequest& request);

}  // namespace gir
