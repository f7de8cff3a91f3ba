#pragma once

#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/runs/run_config.h"

namespace gir {

/// Which parts a split has that the user brings (`split-from`); empty ones count as missing.
struct GivenParts {
  bool valid = false;  ///< else a validation part is drawn from the training part
  bool test = false;
  bool numbered = false;  ///< the file holds several splits

  /// Whether another number is another split.
  bool vary() const { return numbered || !valid; }
};

/// Those of the split that a configuration names. UserError for ids that are not in the graph and the like.
GivenParts given_parts(const Dataset& dataset, const RunConfig& config);

/// The split of a pair task that a configuration asks for: drawn, or brought by the user.
PairSplit split_pairs(const Dataset& dataset, const RunConfig& config);

}  // namespace gir
