#pragma once

#include <memory>

#include "gir/models/model.h"

namespace gir {

/// A mixture of the context's experts: a gate reads their outputs and weighs their decisions, node by node.
std::unique_ptr<Model> make_fusion(const ModelContext& context, const ModelOptions& options);

}  // namespace gir
