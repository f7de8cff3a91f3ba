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

/// Models on data sets, over seeds and splits.
struct GIR_API GridOptions {
  std::vector<std::string> datasets;  ///< names, files or folders
  std::vector<std::string> models;
  std::int64_t runs = 20;   ///< of each model on each data set
  std::int64_t splits = 5;  ///< that the runs are shared out over; divides `runs`
  std::string recipe = "paper";
  SettingValues given = {};  ///< over the recipe, for all runs
  Context context = {};      ///< of all runs
  std::filesystem::path data_dir = {};
  std::string command = {};                         ///< what the user typed, for those who look at the folder later
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
  std::int64_t bad_epoch = 0;  ///< where the loss was not a number and the best epoch before was taken; 0: nowhere
  std::string version;
  std::string settings;  ///< hash of everything else that the run depends on

  std::optional<double> complementarity = {};  ///< EC of a fused model's experts on the test nodes
  std::string device = "cpu";                  ///< and its precision: Context::mark()

  double value(EvaluationSet part) const { return part == EvaluationSet::kTest ? test : valid; }
};

/// How far a grid has come.
struct GIR_API GridProgress {
  std::int64_t done = 0;                 ///< runs, those of earlier calls included
  std::int64_t total = 0;                ///< runs
  std::int64_t found = 0;                ///< runs of earlier calls
  double seconds_left = -1;              ///< about, once a run has finished; negative before
  const GridResult* finished = nullptr;  ///< the run that has just ended, if one has
};

/// Called after every epoch and at the end of every run, by one thread at a time. To stop, throw Interrupted.
using GridObserver = std::function<void(const GridProgress&)>;

/// Trains what `folder`/results.jsonl does not hold yet, one run a core, every run on one thread. A line is written
/// when a run ends, so that a call after a kill goes on. Returns the lines of this grid in its order: data sets,
/// models, splits, seeds. The same whatever the number of threads. Throws Interrupted when the observer does, with all
/// finished runs kept. Experts of fused models are kept in the setting `expert-cache`, else in `folder`/experts, and
/// shared by all that have the same ones; so are runs of models that are somebody's expert. What runs were set to is
/// kept in `folder`/settings, what was asked for last in `folder`/grid.json.
GIR_API std::vector<GridResult> run_grid(const GridOptions& options, const std::filesystem::path& folder,
                                         const GridObserver& observer = {});

/// The lines of `folder`/results.jsonl, in their order; one that was being written when the program was killed does not
/// count. UserError for lines that are none.
GIR_API std::vector<GridResult> read_grid_results(const std::filesystem::path& folder);

/// The file that keeps what runs of a grid were set to, seed and split apart: a configuration file.
GIR_API std::filesystem::path grid_settings_file(const std::filesystem::path& folder, const std::string& settings);

/// What a folder was last asked for.
struct GIR_API GridRequest {
  std::string command;                ///< GridOptions::command
  std::vector<std::string> datasets;  ///< names, as results have them
  std::vector<std::string> models;
  std::vector<std::string> settings;  ///< of its runs: GridResult::settings
};

/// As `folder`/grid.json keeps it; nothing where there is none, or a damaged one.
GIR_API std::optional<GridRequest> read_grid_request(const std::filesystem::path& folder);

}  // namespace gir
