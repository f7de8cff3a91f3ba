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

/// Mean and standard deviation over the runs of one model on one data set, in percent.
struct GIR_API ResultCell {
  std::string dataset;
  std::string task;
  std::string model;
  std::string metric;
  double mean = 0;
  double sd = 0;
  std::int64_t runs = 0;
  std::optional<Summary> complementarity = {};  ///< expert complementarity (EC) of fused models
};

/// A published result, in percent.
struct GIR_API PublishedResult {
  double mean;
  double sd;
};

/// The result in the table of the paper; nothing if it has none.
GIR_API std::optional<PublishedResult> paper_result(std::string_view dataset, std::string_view task,
                                                    std::string_view model);

/// The expert complementarity (EC) in the table of the paper; nothing if it has none.
GIR_API std::optional<PublishedResult> paper_complementarity(std::string_view dataset, std::string_view task,
                                                             std::string_view model);

/// Comparison of a mean with a published one.
enum class Standing {
  kAbove,   ///< by more than one published standard deviation
  kWithin,  ///< within one published standard deviation
  kBelow,   ///< by more than one published standard deviation
};
GIR_API Standing standing(double mean, const PublishedResult& published);

/// The style of a result table.
struct GIR_API TableStyle {
  bool paper = false;  ///< with columns for the results of the paper
  int decimals = 1;
};

/// One row per model and one column per data set, both in the order in which they first occur: "87.0 ± 1.7", the best
/// of a column in bold. If there are fused models, a second column shows their EC. If requested, an additional column
/// shows the results of the paper, and a mark after our result compares them: ↑ above, ≈ within one standard deviation
/// of the paper, ↓ below.
GIR_API Table result_table(const std::vector<ResultCell>& cells, const TableStyle& style);

/// A JSON list of {dataset, task, model, metric, mean, sd, runs, paper_mean, paper_sd}, and for fused models ec_mean,
/// ec_sd, paper_ec_mean and paper_ec_sd.
GIR_API std::string result_table_json(const std::vector<ResultCell>& cells);

/// An explanation of the marks, with the number of cells that have each.
GIR_API std::vector<std::string> paper_notes(const std::vector<ResultCell>& cells);

/// Writes `stem`.md, .csv, .json and .tex into `folder`, each atomically. `notes` are lines after the Markdown table.
GIR_API void write_result_tables(const std::filesystem::path& folder, const std::string& stem,
                                 const std::vector<ResultCell>& cells, const TableStyle& style,
                                 const std::vector<std::string>& notes = {});

}  // namespace gir
