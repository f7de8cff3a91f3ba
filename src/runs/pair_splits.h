#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "gir/data/dataset.h"
#include "gir/data/split.h"
#include "gir/runs/run_config.h"

namespace gir {

/// The number of splits that the setting `split` can choose from; nothing where splits are drawn, without end.
std::optional<std::uint64_t> num_splits(const Dataset& dataset, const RunConfig& config);

/// The file or folder with the split that a configuration asks for: the user's, or a published one of the data set;
/// empty for splits that are drawn. UserError for a published split that does not exist.
std::filesystem::path split_file(const Dataset& dataset, const RunConfig& config);

/// The split of a pair task that a configuration asks for: drawn, published, or brought by the user.
PairSplit split_pairs(const Dataset& dataset, const RunConfig& config);

}  // namespace gir
