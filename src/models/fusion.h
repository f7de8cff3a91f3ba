#pragma once

#include <memory>

#include "gir/models/model.h"

namespace gir {

/// A mixture of the inputs's experts: a gate reads their outputs and weighs their decisions, node by node.
std::unique_ptr<Model> make_fusion(const ModelInputs& inputs, const ModelOptions& options);

}  // namespace gir
