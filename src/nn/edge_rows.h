#pragma once

#include <cstdint>

#include "gir/core/types.h"

namespace gir {

/// Edges by row: row i gathers the columns columns[offsets[i] .. offsets[i+1]). The factors may be null, for 1.
struct EdgeRows {
  std::int64_t rows = 0;
  const EdgeId* offsets = nullptr;
  const std::int32_t* columns = nullptr;
  const float* weights = nullptr;          ///< one an edge
  const double* row_factors = nullptr;     ///< one a row
  const double* column_factors = nullptr;  ///< one a column
};

/// Who receives from whom, and the same the other way round.
struct MessageRows {
  const NodeId* receivers;  ///< the node of every row of `incoming`
  EdgeRows incoming;        ///< columns are sending nodes
  const NodeId* senders;    ///< the node of every row of `outgoing`
  EdgeRows outgoing;        ///< columns are receiving nodes
};

}  // namespace gir
