#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gir/runs/experiment.h"

namespace gir {

/// The classes that a node classifier predicts for the validation nodes of its split. Empty for other tasks.
struct ValidatedClasses {
  NodeSplit split;
  std::vector<std::int32_t> predicted;
};

/// Those of the model whose output that is.
ValidatedClasses validated_classes(const Experiment& experiment, Task task, const ModelOutput& output);

/// What a user should know about a finished run before relying on it: one sentence each, with a remedy in brackets.
/// After a refit `validated` is that of the model before it.
std::vector<std::string> run_warnings(const Experiment& experiment, const Dataset& dataset,
                                      const ValidatedClasses& validated, const RunResult& result);

}  // namespace gir
