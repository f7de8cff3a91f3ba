#pragma once

#include <algorithm>
#include <cstdint>

#include "aggregate.h"
#include "matrix_product.h"

namespace gir::cpu {

/// out = base in rows [first, last). No data in `base`: zeros.
template <typename Real>
void start_rows(const MatrixView<const Real>& base, std::int64_t first, std::int64_t last,
                const MatrixView<Real>& out) {
  const MatrixView<Real> block = out.row_range(first, last);
  const std::int64_t size = block.rows * block.columns;
  base.data == nullptr ? std::fill_n(block.data, size, Real{0})
                       : std::copy_n(base.row_range(first, last).data, size, block.data);
}

/// out = base + what the rows of `edges`, which are those of `nodes`, gather of `values`. No data in `base`: zeros.
template <typename Real>
void add_messages(const NodeId* nodes, const EdgeRows& edges, const MatrixView<const Real>& base,
                  const MatrixView<const Real>& values, const MatrixView<Real>& out);

/// out = base + the largest of every channel of q over a receiver's senders. `chosen`, where it is not null, gets the
/// first sender that had it, a node and channel each; only rows of receivers are written.
template <typename Real>
void add_max_messages_forward(const MessageRows& rows, const MatrixView<const Real>& base,
                              const MatrixView<const Real>& q, const MatrixView<Real>& out, NodeId* chosen);

/// The gradient of q, given that of `out`.
template <typename Real>
void add_max_messages_backward(const MessageRows& rows, const NodeId* chosen, const MatrixView<const Real>& d_out,
                               const MatrixView<Real>& d_q);

}  // namespace gir::cpu
