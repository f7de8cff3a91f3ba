#pragma once

#include <string>
#include <vector>

#include "gir/runs/experiment.h"

namespace gir {

/// What a user should know about a finished run before relying on it: one sentence each, with a remedy in brackets.
/// `output` is that of the trained model.
std::vector<std::string> run_warnings(const Experiment& experiment, const Dataset& dataset, const ModelOutput& output,
                                      const RunResult& result);

}  // namespace gir
