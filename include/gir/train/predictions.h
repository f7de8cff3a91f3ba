#pragma once

#include <filesystem>
#include <span>
#include <utility>

#include "gir/core/types.h"
#include "gir/train/experiment.h"

namespace gir {

/// Writes a CSV file `source,target,score`: how likely the pairs are linked (or of one class), as the model of a pair
/// task judges. UserError for a model of another task, and for a node paired with itself.
void write_pair_scores(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                       std::span<const std::pair<NodeId, NodeId>> pairs);

/// Writes a CSV file `node,class,` and a column for the probability of each class. UserError for a model of another
/// task.
void write_node_classes(const std::filesystem::path& path, Experiment& experiment, const Dataset& dataset,
                        std::span<const NodeId> nodes);

}  // namespace gir
