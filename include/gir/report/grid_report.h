#pragma once

#include <string>
#include <vector>

#include "gir/report/result_table.h"
#include "gir/train/grid.h"

namespace gir {

/// Mean and spread of every model on every data set, in the order of the results.
std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results);

/// A line for every data set that compares the first two models run by run: difference, t, p.
std::vector<std::string> paired_comparisons(const std::vector<GridResult>& results);

}  // namespace gir
