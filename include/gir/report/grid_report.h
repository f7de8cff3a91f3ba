#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gir/core/export.h"
#include "gir/learn/objective.h"
#include "gir/report/result_table.h"
#include "gir/runs/grid.h"

namespace gir {

/// Mean and standard deviation of every model on every data set, in the order of the results: of the test metrics, or
/// of the validation metrics, on which settings are selected.
GIR_API std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results,
                                               EvaluationSet set = EvaluationSet::kTest);

/// Two models to compare over paired runs.
using ModelPair = std::pair<std::string, std::string>;

/// The first two models of the results; empty if there is only one.
GIR_API std::vector<ModelPair> first_two_models(const std::vector<GridResult>& results);

/// One line per data set and pair of models: mean difference, t and p of a paired t-test.
GIR_API std::vector<std::string> paired_comparisons(const std::vector<GridResult>& results,
                                                    const std::vector<ModelPair>& pairs,
                                                    EvaluationSet set = EvaluationSet::kTest);

}  // namespace gir
