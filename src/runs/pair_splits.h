#pragma once

#include <cstdint>
#include <optional>

#include "gir/data/dataset.h"
#include "gir/data/split_choice.h"
#include "gir/runs/run_config.h"

namespace gir {

/// Which parts a split has that the user provides (`split-from`); empty ones count as missing.
struct GivenParts {
  bool valid = false;  ///< else a validation part is drawn from the training part
  bool test = false;
  std::int64_t splits = 1;  ///< that the file holds

  /// Whether another number is another split.
  bool vary() const { return splits > 1 || !valid; }
};

/// Those of the split that a configuration names. UserError for ids that are not in the graph and the like.
GivenParts given_parts(const Dataset& dataset, const RunConfig& config);

/// The number of splits that the setting `split` can choose from; nothing where splits are drawn, without end.
std::optional<std::uint64_t> num_splits(const Dataset& dataset, const RunConfig& config);

/// The split that a configuration requests.
SplitChoice split_choice(const RunConfig& config);

}  // namespace gir
