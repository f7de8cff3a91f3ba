#pragma once

#include <span>

#include "gir/core/export.h"
#include "gir/core/types.h"
#include "gir/graph/attributes.h"

namespace gir {

/// The rows of `nodes`, in that order.
GIR_API SparseMatrix select_rows(const SparseMatrix& whole, std::span<const NodeId> nodes);

}  // namespace gir
