#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/runs/run_config.h"

namespace gir {

/// A grid of runs: models on data sets, over splits and seeds.
struct GIR_API GridOptions {
  std::vector<std::string> datasets;  ///< names, files or folders
  std::vector<std::string> models;
  std::int64_t runs = 20;    ///< of each model on each data set
  std::int64_t splits = 5;   ///< number of splits; must divide `runs`, which are distributed evenly over them
  std::string recipe = {};   ///< empty: default_recipe() of each data set
  SettingValues given = {};  ///< override the recipe, for all runs
  Context context = {};      ///< of all runs
  std::filesystem::path data_dir = {};
  std::string command = {};                         ///< the command line, recorded in the folder
  std::function<void(const Dataset&)> opened = {};  ///< called with every data set before anything is trained
};

/// One finished run of a grid: a line of results.jsonl.
struct GIR_API GridResult {
  std::string dataset;
  std::string task;
  std::string model;
  std::string metric;
  double test = 0;
  double valid = 0;
  std::int64_t best_epoch = 0;
  std::uint64_t seed = 0;
  std::uint64_t split = 0;
  double seconds = 0;
  std::int64_t bad_epoch = 0;  ///< first epoch with a NaN or infinite loss; 0: none
  std::string version;
  std::string settings;  ///< hash of everything else that the run depends on

  std::optional<double> complementarity = {};  ///< EC of a fused model's experts on the test nodes
  std::string device = "cpu";                  ///< device and precision: Context::mark()

  double value(EvaluationSet set) const { return set == EvaluationSet::kTest ? test : valid; }
};

/// The progress of a grid.
struct GIR_API GridProgress {
  std::int64_t done = 0;                 ///< finished runs, including those of earlier calls
  std::int64_t total = 0;                ///< runs
  std::int64_t found = 0;                ///< runs of earlier calls
  double seconds_left = -1;              ///< estimate; negative before the first run has finished
  const GridResult* finished = nullptr;  ///< the run that has just finished, else null
};

/// Called after every epoch and after every run, by one thread at a time. Throwing Interrupted stops the grid.
using GridObserver = std::function<void(const GridProgress&)>;

/// Trains the runs that `folder`/results.jsonl does not contain yet, one run per core, each on one thread. A line is
/// written when a run finishes, so that a grid that was killed continues with the next call. Returns the results in the
/// order data sets, models, splits, seeds, independent of the number of threads. Throws Interrupted when the observer
/// does; all finished runs are kept. Experts of fused models are stored in the folder of the setting `expert-cache`, by
/// default `folder`/experts, and shared by all models that use them; runs of models that are also experts are stored
/// there as well. The settings of the runs are written to `folder`/settings, the request itself to `folder`/grid.json.
GIR_API std::vector<GridResult> run_grid(const GridOptions& options, const std::filesystem::path& folder,
                                         const GridObserver& observer = {});

/// The results in `folder`/results.jsonl, in the order of the file; an incomplete last line, left by a program that was
/// killed, is ignored. UserError for invalid lines.
GIR_API std::vector<GridResult> read_grid_results(const std::filesystem::path& folder);

/// The configuration file with the settings of the runs of a grid, without seed and split.
GIR_API std::filesystem::path grid_settings_file(const std::filesystem::path& folder, const std::string& settings);

/// The last request of a grid folder.
struct GIR_API GridRequest {
  std::string command;                ///< GridOptions::command
  std::vector<std::string> datasets;  ///< names as in the results
  std::vector<std::string> models;
  std::vector<std::string> settings;  ///< of its runs: GridResult::settings
};

/// Reads `folder`/grid.json; nothing if it is missing or damaged.
GIR_API std::optional<GridRequest> read_grid_request(const std::filesystem::path& folder);

}  // namespace gir
