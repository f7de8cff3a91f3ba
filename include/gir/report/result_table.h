#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gir/core/export.h"
#include "gir/report/table.h"
#include "gir/runs/statistics.h"

namespace gir {

/// A model compared with the best one of its data set, by a paired t-test.
struct GIR_API BestComparison {
  std::string best;       ///< the model
  PairedTest test = {};   ///< best minus this one, in percentage points
  double adjusted_p = 1;  ///< by Holm's method, for `tests` tests: all pairs of models, because the same runs decide
                          ///< which model is the best
  std::int64_t tests = 0;
};

/// The mean that another method is published with, in percent.
struct GIR_API PublishedMean {
  std::string method;
  double mean = 0;
  std::string source;  ///< the publication
};

/// The results of other methods on the data sets links/USAir, links/NS, ...: means over ten splits with 90 % of the
/// edges for training. None for other data sets, and for metrics without published results.
GIR_API std::vector<PublishedMean> published_link_results(std::string_view dataset, std::string_view metric);

/// Mean and standard deviation over the runs of one model on one data set, in percent.
struct GIR_API ResultCell {
  std::string dataset;
  std::string task;
  std::string model;
  std::string metric;
  double mean = 0;
  double sd = 0;
  std::int64_t runs = 0;
  bool of_validation = false;                   ///< of validation metrics, not test metrics
  std::optional<Summary> complementarity = {};  ///< expert complementarity (EC) of fused models
  std::optional<BestComparison> to_best = {};   ///< nothing for the best model, and without two paired runs
  std::string failure = {};                     ///< why there are no runs
  std::vector<PublishedMean> published = {};    ///< of other methods on the same splits
  bool as_in_paper = true;                      ///< split, training and selection are those of the paper's results
};

/// A published result, in percent.
struct GIR_API PublishedResult {
  double mean;
  double sd;
};

/// The result in the table of the paper, a test metric: accuracy for nodes, ROC AUC for pairs; nothing if it has none.
GIR_API std::optional<PublishedResult> paper_result(std::string_view dataset, std::string_view task,
                                                    std::string_view model);

/// The result of the paper that a cell can be compared with; nothing if it has another metric, a validation metric, or
/// is not ResultCell::as_in_paper.
GIR_API std::optional<PublishedResult> paper_result(const ResultCell& cell);

/// The same for the expert complementarity.
GIR_API std::optional<PublishedResult> paper_complementarity(const ResultCell& cell);

/// The expert complementarity (EC) in the table of the paper; nothing if it has none.
GIR_API std::optional<PublishedResult> paper_complementarity(std::string_view dataset, std::string_view task,
                                                             std::string_view model);

/// Comparison of a mean with a published one.
enum class PublishedComparison {
  kAbove,   ///< by more than one published standard deviation
  kWithin,  ///< within one published standard deviation
  kBelow,   ///< by more than one published standard deviation
};
GIR_API PublishedComparison compare_with_published(double mean, const PublishedResult& published);

/// The style of a result table.
struct GIR_API TableStyle {
  bool paper = false;  ///< with columns for the results of the paper
  int decimals = 1;
  bool metrics = true;  ///< headings name metrics other than default_metric()
};

/// One row per model and one column per data set, both in the order in which they first occur: "87.0 ± 1.7" (without
/// the deviation for a single run; "failed" if no run succeeded, "-" if the metric is undefined in all), the best of a
/// column in bold. If there are fused models, a second column shows their EC. If requested, an additional column shows
/// the results of the paper, and a mark after our result compares them: ↑ above, ≈ within one standard deviation of the
/// paper, ↓ below. Only metrics of the paper have such a column. Headings name the
/// metric if it is not the usual one: "cora nc macro_f1". Results of other methods on the same splits
/// (ResultCell::published) are rows at the end: "SEAL (published)".
GIR_API Table result_table(const std::vector<ResultCell>& cells, const TableStyle& style);

/// A JSON list of {dataset, task, model, metric, mean, sd, runs, paper_mean, paper_sd}; for fused models also ec_mean,
/// ec_sd, paper_ec_mean and paper_ec_sd; for models that were compared with the best one below_best: {model, mean, t,
/// p, p_holm, tests, runs}; for failed ones failure, and null as mean and sd; with results of other methods published:
/// a list of {method, mean, source}.
GIR_API std::string result_table_json(const std::vector<ResultCell>& cells);

/// An explanation of the marks, with the number of cells that have each.
GIR_API std::vector<std::string> paper_notes(const std::vector<ResultCell>& cells);

/// The methods with published results, in the order in which they first occur.
GIR_API std::vector<std::string> published_methods(const std::vector<ResultCell>& cells);

/// The row of a table with the published results of a method: "SEAL (published)".
GIR_API std::string published_row(const std::string& method);

/// Where published results are from, and how each of our models compares with each method; none without any.
GIR_API std::vector<std::string> published_notes(const std::vector<ResultCell>& cells);

/// Writes `stem`.md, .csv, .json and .tex into `folder`, each atomically. `notes` are lines after the Markdown table.
GIR_API void write_result_tables(const std::filesystem::path& folder, const std::string& stem,
                                 const std::vector<ResultCell>& cells, const TableStyle& style,
                                 const std::vector<std::string>& notes = {});

}  // namespace gir
