#pragma once

#include <array>
#include <string>

#include "gir/cli/session.h"
#include "gir/learn/objective.h"
#include "gir/report/grid_report.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir::cli {

/// How the results of a grid are shown.
struct GridView {
  TableStyle style = {};
  EvaluationSet set = EvaluationSet::kTest;  ///< whose metrics are shown
  std::vector<ModelPair> pairs = {};  ///< paired comparisons; empty: the first two models, unless the paper's results
                                      ///< are shown
};

/// Adds --runs and --splits with the values in `grid` as defaults; returns both.
std::array<CLI::Option*, 2> add_run_counts(CLI::App& command, GridOptions& grid);

/// Runs a grid with live progress, writes its tables into the folder and prints them.
void run_and_report(const Session& session, GridOptions grid, const std::string& folder, const GridView& view);

}  // namespace gir::cli
