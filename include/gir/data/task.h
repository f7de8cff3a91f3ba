#pragma once

#include <string>
#include <string_view>

#include "gir/core/export.h"

namespace gir {

/// A learning task.
enum class Task {
  kNodeClassification,      ///< "nc": the class of a node
  kLinkPrediction,          ///< "lp": whether two nodes are joined by an edge
  kNodePairClassification,  ///< "npc": whether two nodes of the same component have the same label
};

/// "nc", "lp" or "npc".
GIR_API std::string_view task_name(Task task);

/// The task of that name; UserError that lists the tasks for any other name.
GIR_API Task parse_task(std::string_view name);

/// Main metrics of nodes and of pairs, unless another one selects the epoch.
constexpr std::string_view kNodeMetric = "accuracy";
constexpr std::string_view kPairMetric = "roc_auc";

/// The one of the task of that name.
GIR_API std::string_view default_metric(std::string_view task);

}  // namespace gir
