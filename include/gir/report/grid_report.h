#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir {

/// Mean and spread of every model on every data set, in the order of the results: of the test figures, or of the
/// validation figures, which settings are chosen by.
GIR_API std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results,
                                               EvaluationSet part = EvaluationSet::kTest);

/// Two models that are compared run by run.
using ModelPair = std::pair<std::string, std::string>;

/// The first two models of the results; nothing where there is one.
GIR_API std::vector<ModelPair> first_two_models(const std::vector<GridResult>& results);

/// A line for every data set and pair of models: difference, t, p.
GIR_API std::vector<std::string> paired_comparisons(const std::vector<GridResult>& results,
                                                    const std::vector<ModelPair>& pairs,
                                                    EvaluationSet part = EvaluationSet::kTest);

}  // namespace gir
