#pragma once

#include <memory>

#include "gir/models/model.h"

namespace gir {

/// A mixture of ModelInputs::experts: a gating network reads their logits and weights their predictions per node.
std::unique_ptr<Model> make_fusion(const ModelInputs& inputs, const ModelOptions& options);

}  // namespace gir
