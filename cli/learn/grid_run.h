#pragma once

#include <string>

#include "../session.h"
#include "gir/train/grid.h"

namespace gir::cli {

/// Runs a grid with live progress, writes its tables into the folder and prints them. With `paper` the paper's figures
/// stand beside ours; without, the first two models are compared run by run.
void run_and_report(const Session& session, const GridOptions& grid, const std::string& folder, bool paper);

}  // namespace gir::cli
