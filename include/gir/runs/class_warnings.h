#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/graph/attributes.h"

namespace gir {

/// A trained node classifier, as far as warnings depend on it.
struct GIR_API EvaluatedClasses {
  const Labels& labels;
  const NodeSplit& split;
  std::span<const std::int32_t> predicted;  ///< the predicted class of every validation node
  bool weighted = false;                    ///< RunConfig::class_weights
  bool selects = false;                     ///< a metric other than accuracy selects the epoch

  /// After a refit: the split of the model before it, whose predictions `predicted` has. `split` has no validation
  /// nodes then.
  const NodeSplit* before_refit = nullptr;
};

/// What a user should know about the classes, one sentence each with a remedy in brackets: classes without training,
/// validation or test nodes, a model that predicts one class only, classes of very different sizes of which the small
/// ones are recognised less often, and a model that is hardly better than guessing.
GIR_API std::vector<std::string> class_warnings(const EvaluatedClasses& evaluated);

}  // namespace gir
