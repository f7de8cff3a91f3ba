#pragma once

#include <array>
#include <string>

#include "gir/cli/session.h"
#include "gir/report/grid_report.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir::cli {

/// How the results of a grid are shown.
struct GridView {
  TableStyle style = {};
  std::vector<ModelPair> pairs = {};  ///< paired comparisons; empty: every model with the best one, unless the paper's
                                      ///< results are shown
  bool published = false;  ///< show results of other methods on the same splits, and a table of average precision
  std::vector<std::string> notes = {};  ///< said below the table
};

/// Adds --runs and --splits with the values in `grid` as defaults; returns both.
std::array<CLI::Option*, 2> add_run_counts(CLI::App& command, GridOptions& grid);

/// Adds --datasets and --models, lists of names; returns both.
std::array<CLI::Option*, 2> add_name_lists(CLI::App& command, GridOptions& grid);

/// Runs a grid with live progress, writes its tables into the folder and prints them. Models that fail do not stop the
/// others; at the end they are a UserError.
void run_and_report(const Session& session, GridOptions grid, const std::string& folder, const GridView& view);

}  // namespace gir::cli
