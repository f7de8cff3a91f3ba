#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/node_names.h"
#include "gir/runs/experiment.h"

namespace gir {

/// The probabilities that pairs are linked (lp) or have the same label (npc), from the outputs of a pair model.
GIR_API std::vector<float> pair_probabilities(const Experiment& experiment, const at::Tensor& outputs,
                                              std::span<const NodePair> pairs);

/// The same after a forward pass of the model. UserError for a model of another task, and for a node paired with
/// itself.
GIR_API std::vector<float> pair_scores(Experiment& experiment, std::span<const std::pair<NodeId, NodeId>> pairs);

/// Writes the probabilities as a CSV file `source,target,score`.
GIR_API void write_pair_scores(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                               std::span<const std::pair<NodeId, NodeId>> pairs);

/// Writes a CSV file with the columns `node`, `class` and the probability of each class: the softmax of the model's
/// outputs, with the names `classes`. UserError for a model of another task.
GIR_API void write_node_classes(const std::filesystem::path& path, Experiment& experiment, const NodeNames& names,
                                const std::vector<std::string>& classes, std::span<const NodeId> nodes);

}  // namespace gir
