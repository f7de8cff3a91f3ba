#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/runs/experiment.h"

namespace gir {

/// How likely pairs are linked (or of one class) by the outputs of a pair task's model: a share in [0, 1] each.
GIR_API std::vector<float> shares_of_pairs(const Experiment& experiment, const at::Tensor& outputs,
                                           std::span<const NodePair> pairs);

/// How likely the pairs are linked (or of one class), as the model of a pair task judges: a share in [0, 1] each.
/// UserError for a model of another task, and for a node paired with itself.
GIR_API std::vector<float> pair_scores(Experiment& experiment, std::span<const std::pair<NodeId, NodeId>> pairs);

/// Writes them as a CSV file `source,target,score`.
GIR_API void write_pair_scores(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                               std::span<const std::pair<NodeId, NodeId>> pairs);

/// Writes a CSV file `node,class,` and a column for the probability of each class. UserError for a model of another
/// task.
GIR_API void write_node_classes(const std::filesystem::path& path, Experiment& experiment, const Dataset& dataset,
                                std::span<const NodeId> nodes);

}  // namespace gir
