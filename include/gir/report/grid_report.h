#pragma once

#include <string>
#include <vector>

#include "gir/report/result_table.h"
#include "gir/train/grid.h"
#include "gir/train/objective.h"

namespace gir {

/// Mean and spread of every model on every data set, in the order of the results: of the test figures, or of the
/// validation figures, which settings are chosen by.
std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results, Part part = Part::kTest);

/// A line for every data set that compares the first two models run by run: difference, t, p.
std::vector<std::string> paired_comparisons(const std::vector<GridResult>& results, Part part = Part::kTest);

}  // namespace gir
