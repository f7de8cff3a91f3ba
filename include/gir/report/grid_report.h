#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir {

/// What the folder of a grid contains of its last request.
struct GIR_API RequestedRuns {
  std::optional<GridRequest> request;  ///< nothing if it is not known
  std::vector<GridResult> results;     ///< in the order of the request; without it, the runs with the last settings of
                                       ///< each model and data set
  std::vector<std::string> notes;      ///< which runs failed, and which other runs are in the folder and not shown
};

/// UserError for invalid lines.
GIR_API RequestedRuns requested_runs(const std::filesystem::path& folder);

/// Mean and standard deviation of every model on every data set, in the order of the results: of the test metrics, or
/// of the validation metrics, on which settings are selected. Every model is compared with the best one.
GIR_API std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results,
                                               EvaluationSet set = EvaluationSet::kTest);

/// The same in the order of a request, with cells for models that failed.
GIR_API std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results, const GridRequest& request);

/// Adds the published results of other methods (published_link_results()) to the cells of runs that were made on the
/// splits of these results: `results` and their settings in `folder` say so.
GIR_API void add_published_results(std::vector<ResultCell>& cells, const std::filesystem::path& folder,
                                   const std::vector<GridResult>& results);

/// Clears ResultCell::as_in_paper where the settings of the runs in `folder` request another split than that of the
/// paper's results, or for another way to train, to select the epoch or to score test pairs.
GIR_API void mark_other_protocols(std::vector<ResultCell>& cells, const std::filesystem::path& folder,
                                  const std::vector<GridResult>& results);

/// The same runs with average precision as their test metric; those that have none are omitted.
GIR_API std::vector<GridResult> by_average_precision(std::vector<GridResult> results);

/// One line per data set: which model is the best, and which others it is significantly better than.
GIR_API std::vector<std::string> best_model_lines(const std::vector<ResultCell>& cells);

/// One line per model and data set with runs whose metric is not defined, such as the ROC AUC of one class.
GIR_API std::vector<std::string> undefined_lines(const std::vector<GridResult>& results, EvaluationSet set);

/// Warnings of runs: one line per model and data set that has some, with the number of its runs and the warnings of the
/// first one.
GIR_API std::vector<std::string> warning_lines(const std::vector<GridResult>& results);

/// Two models to compare over paired runs.
using ModelPair = std::pair<std::string, std::string>;

/// Two models on one data set: first minus second, over runs of the same split and seed.
struct GIR_API PairedComparison {
  std::string dataset;
  std::string task;
  ModelPair models;
  PairedTest test;        ///< in percentage points
  double sd = 0;          ///< of the differences
  double adjusted_p = 1;  ///< by Holm's method, for `tests` tests: those on the data set
  std::int64_t tests = 0;
};

/// The comparisons that have paired runs: of `pairs`, or of all pairs of models if there are none.
GIR_API std::vector<PairedComparison> paired_comparisons(const std::vector<GridResult>& results, EvaluationSet set,
                                                         const std::vector<ModelPair>& pairs = {});

/// One line per comparison with at least two paired runs: difference, t and p.
GIR_API std::vector<std::string> comparison_lines(const std::vector<PairedComparison>& comparisons);

}  // namespace gir
