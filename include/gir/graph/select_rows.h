#pragma once

#include <span>

#include "gir/core/types.h"
#include "gir/graph/attributes.h"

namespace gir {

/// The rows of `nodes`, in that order.
SparseMatrix select_rows(const SparseMatrix& whole, std::span<const NodeId> nodes);

}  // namespace gir
