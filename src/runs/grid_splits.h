#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/runs/grid.h"
#include "gir/runs/run_config.h"

namespace gir {

/// The splits of the runs on one data set.
struct SplitPlan {
  std::int64_t count = 1;               ///< divides the number of runs
  std::vector<std::string> notes = {};  ///< what a user should know about them
};

/// `config` is that of any model on the data set: all have the same splits. UserError where there is no test set to
/// compare on, where there are fewer splits than were requested, and where they are one and the same.
SplitPlan plan_splits(const GridOptions& options, RunConfig config, const Dataset& dataset);

}  // namespace gir
