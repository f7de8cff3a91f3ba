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

/// Runs of one model on one data set in short, in percent.
struct GIR_API ResultCell {
  std::string dataset;
  std::string task;
  std::string model;
  std::string metric;
  double mean = 0;
  double sd = 0;
  std::int64_t runs = 0;
  std::optional<Summary> complementarity = {};  ///< EC of fused models
};

/// What a publication says about the same, in percent.
struct GIR_API PublishedResult {
  double mean;
  double sd;
};

/// The paper's figure (SPEC section 8); nothing where it has none.
GIR_API std::optional<PublishedResult> paper_result(std::string_view dataset, std::string_view task,
                                                    std::string_view model);

/// The paper's expert complementarity, the same.
GIR_API std::optional<PublishedResult> paper_complementarity(std::string_view dataset, std::string_view task,
                                                             std::string_view model);

/// How a mean compares with a published one.
enum class Standing {
  kAbove,   ///< by more than the published standard deviation
  kWithin,  ///< one published standard deviation
  kBelow,   ///< by more than that
};
GIR_API Standing standing(double mean, const PublishedResult& published);

/// How a table of results looks.
struct GIR_API TableStyle {
  bool paper = false;  ///< with the paper's figures
  int decimals = 1;
};

/// A row a model and a column a data set, both in the order in which they first occur: "87.0 ± 1.7", the best of a
/// column in bold. Where there are fused models, a second column has their EC. With the paper's figures these stand
/// beside ours where there are some, in a column of their own, and a mark after ours says how it compares: ↑ above, ≈
/// within one standard deviation of the paper's, ↓ below.
GIR_API Table result_table(const std::vector<ResultCell>& cells, const TableStyle& style);

/// A list of {dataset, task, model, metric, mean, sd, runs, paper_mean, paper_sd}, and for fused models ec_mean, ec_sd,
/// paper_ec_mean and paper_ec_sd.
GIR_API std::string result_table_json(const std::vector<ResultCell>& cells);

/// What the marks say, and how many cells have each.
GIR_API std::vector<std::string> paper_notes(const std::vector<ResultCell>& cells);

/// Writes `stem`.md, .csv, .json and .tex into `folder`, each whole or not at all. `notes` are lines that follow the
/// Markdown table.
GIR_API void write_result_tables(const std::filesystem::path& folder, const std::string& stem,
                                 const std::vector<ResultCell>& cells, const TableStyle& style,
                                 const std::vector<std::string>& notes = {});

}  // namespace gir
