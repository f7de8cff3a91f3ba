#pragma once

#include <cmath>
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
  std::vector<std::string> models;    ///< each may have settings of its own, which override `given`: "gir-a:layers=5"
  std::int64_t runs = 20;             ///< of each model on each data set
  std::int64_t splits = 5;   ///< number of splits; must divide `runs`, which are distributed evenly over them. 0: up to
                             ///< five of those that there are
  std::string recipe = {};   ///< empty: default_recipe() of each data set
  SettingValues given = {};  ///< override the recipe, for all runs
  Context context = {};      ///< of all runs
  std::filesystem::path data_dir = {};
  EvaluationSet set = EvaluationSet::kTest;  ///< whose metrics are shown; recorded in the folder
  std::string command = {};                  ///< the command line, recorded in the folder
  bool keep_going = false;                   ///< a run that fails is recorded in the folder, and the others go on
  std::function<void(const Dataset&)> opened = {};    ///< called with every data set before anything is trained
  std::function<void(const std::string&)> note = {};  ///< called with what to know about the splits, before training
};

/// One finished run of a grid: a line of results.jsonl.
struct GIR_API GridResult {
  std::string dataset;
  std::string task;
  std::string model;  ///< with its own settings: "gir-a:layers=5"
  std::string metric;
  double test = 0;  ///< NaN without a test set, and where the metric is not defined on it
  double valid = 0;
  std::int64_t best_epoch = 0;
  std::uint64_t seed = 0;
  std::uint64_t split = 0;
  double seconds = 0;
  double prepare_seconds = 0;  ///< before the first epoch, not part of `seconds`
  std::int64_t bad_epoch = 0;  ///< first epoch with a NaN or infinite loss; 0: none
  std::string version;
  std::string settings;  ///< hash of everything else that the run depends on

  std::optional<double> average_precision = {};  ///< of the test pairs, for tasks on pairs
  std::optional<double> complementarity = {};    ///< EC of a fused model's experts on the test nodes
  std::vector<std::string> warnings = {};        ///< those of RunResult::warnings that do not speak of test metrics
  std::string device = "cpu";                    ///< device and precision: Context::mark()

  double value(EvaluationSet set) const { return set == EvaluationSet::kTest ? test : valid; }
  bool is_defined(EvaluationSet set) const { return !std::isnan(value(set)); }
};

/// The progress of a grid.
struct GIR_API GridProgress {
  std::int64_t done = 0;                 ///< finished runs, including those of earlier calls
  std::int64_t total = 0;                ///< runs
  std::int64_t found = 0;                ///< runs of earlier calls
  std::int64_t failed = 0;               ///< runs that failed (GridOptions::keep_going); they count as done
  double share = 0;                      ///< of the work: finished runs and the epochs of running ones
  double seconds_left = -1;              ///< estimate; negative before there is one
  bool from_epochs = false;              ///< the estimate is extrapolated from the first epochs: no run has finished
  const GridResult* finished = nullptr;  ///< the run that has just finished, else null
};

/// Called after every epoch, after every run and before the steps that prepare a run, by one thread at a time. Throwing
/// Interrupted stops the grid.
using GridObserver = std::function<void(const GridProgress&)>;

/// Trains the runs that `folder`/results.jsonl does not contain yet, one run per core, each on one thread. A line is
/// written when a run finishes, so that a grid that was killed continues with the next call. Returns the results in the
/// order data sets, models, splits, seeds, independent of the number of threads. Throws Interrupted when the observer
/// does; all finished runs are kept. Experts of fused models are stored in the folder of the setting `expert-cache`, by
/// default `folder`/experts, and shared by all models that use them; runs of models that are also experts are stored
/// there as well. The settings of the runs are written to `folder`/settings, the request itself to `folder`/grid.json.
/// The UserError of the first run that fails is thrown; with `keep_going` only if there are no results at all.
GIR_API std::vector<GridResult> run_grid(const GridOptions& options, const std::filesystem::path& folder,
                                         const GridObserver& observer = {});

/// The results in `folder`/results.jsonl, in the order of the file; an incomplete last line, left by a program that was
/// killed, is ignored. UserError for invalid lines.
GIR_API std::vector<GridResult> read_grid_results(const std::filesystem::path& folder);

/// The configuration file with the settings of the runs of a grid, without seed and split.
GIR_API std::filesystem::path grid_settings_file(const std::filesystem::path& folder, const std::string& settings);

/// The requested runs of one model on one data set.
struct GIR_API GridCell {
  std::string dataset;  ///< name as in the results
  std::string task;
  std::string model;
  std::string settings;      ///< GridResult::settings
  std::uint64_t splits = 0;  ///< of numbers 0, 1, ...
  std::uint64_t seeds = 0;   ///< on each split, 0, 1, ...
  std::int64_t failed = 0;   ///< runs that failed
  std::string failure = {};  ///< why the first of them did

  bool contains(const GridResult& run) const;
};

/// The last request of a grid folder.
struct GIR_API GridRequest {
  std::string command;  ///< GridOptions::command
  EvaluationSet set = EvaluationSet::kTest;
  std::vector<GridCell> cells;  ///< in the order data sets, models

  std::vector<std::string> datasets() const;  ///< every name once
  std::vector<std::string> models() const;
  bool contains(const GridResult& run) const;
};

/// Reads `folder`/grid.json; nothing if it is missing, damaged, or of an earlier version.
GIR_API std::optional<GridRequest> read_grid_request(const std::filesystem::path& folder);

}  // namespace gir
