#pragma once

#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/runs/run_config.h"

namespace gir {

/// The split of a pair task that a configuration asks for: drawn, or brought by the user.
PairSplit split_pairs(const Dataset& dataset, const RunConfig& config);

}  // namespace gir
