#pragma once

#include <array>
#include <string>

#include "gir/cli/session.h"
#include "gir/learn/objective.h"
#include "gir/report/grid_report.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir::cli {

/// What is shown of a grid.
struct GridView {
  TableStyle style = {};
  EvaluationSet part = EvaluationSet::kTest;  ///< whose metrics
  std::vector<ModelPair> pairs =
      {};  ///< compared run by run; none: the first two models, unless with the paper's metrics
};

/// Adds --runs and --splits, with the values that the grid has as defaults; returns both.
std::array<CLI::Option*, 2> add_run_counts(CLI::App& command, GridOptions& grid);

/// Runs a grid with live progress, writes its tables into the folder and prints them.
void run_and_report(const Session& session, GridOptions grid, const std::string& folder, const GridView& view);

}  // namespace gir::cli
