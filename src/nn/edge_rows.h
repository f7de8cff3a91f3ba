#pragma once

#include <cstdint>

#include "gir/core/types.h"

namespace gir {

/// A sparse matrix in CSR form: row i has the columns columns[offsets[i] .. offsets[i+1]). An entry is the product of
/// its weight and the factors of its row and column; null stands for 1.
struct EdgeRows {
  std::int64_t rows = 0;
  const EdgeId* offsets = nullptr;
  const std::int32_t* columns = nullptr;
  const float* weights = nullptr;          ///< per edge
  const double* row_factors = nullptr;     ///< per row
  const double* column_factors = nullptr;  ///< per column
};

/// The message matrix of a layer by receiver (forward pass) and its transpose by sender (backward pass).
struct MessageRows {
  const NodeId* receivers;  ///< the node of every row of `incoming`
  EdgeRows incoming;        ///< columns are sending nodes
  const NodeId* senders;    ///< the node of every row of `outgoing`
  EdgeRows outgoing;        ///< columns are receiving nodes
};

}  // namespace gir
