#pragma once

#include <string>

#include "../session.h"
#include "gir/train/grid.h"
#include "gir/train/objective.h"

namespace gir::cli {

/// What is shown of a grid.
struct GridView {
  bool paper = false;       ///< the paper's figures beside ours; else the first two models are compared run by run
  Part part = Part::kTest;  ///< whose figures
};

/// Runs a grid with live progress, writes its tables into the folder and prints them.
void run_and_report(const Session& session, const GridOptions& grid, const std::string& folder, const GridView& view);

}  // namespace gir::cli
