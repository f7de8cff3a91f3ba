#pragma once

#include <algorithm>
#include <cstdint>

#include "aggregate.h"
#include "matrix_product.h"

namespace gir::cpu {

/// out = base in rows [first, last); zeros if `base` has no data.
template <typename Real>
void start_rows(const MatrixView<const Real>& base, std::int64_t first, std::int64_t last,
                const MatrixView<Real>& out) {
  const MatrixView<Real> block = out.row_range(first, last);
  const std::int64_t size = block.rows * block.columns;
  base.data == nullptr ? std::fill_n(block.data, size, Real{0})
                       : std::copy_n(base.row_range(first, last).data, size, block.data);
}

/// out[nodes[i]] = base[nodes[i]] + row i of `edges` times `values`; out = base for all other nodes. Zeros if `base`
/// has no data.
template <typename Real>
void add_messages(const NodeId* nodes, const EdgeRows& edges, const MatrixView<const Real>& base,
                  const MatrixView<const Real>& values, const MatrixView<Real>& out);

/// out = base + maximum of every channel of q over the senders of a receiver. `chosen`, if not null, is set to the
/// first sender with that maximum, per node and channel; only rows of receivers are written.
template <typename Real>
void add_max_messages_forward(const MessageRows& rows, const MatrixView<const Real>& base,
                              const MatrixView<const Real>& q, const MatrixView<Real>& out, NodeId* chosen);

/// The gradient of q, given the gradient of `out`.
template <typename Real>
void add_max_messages_backward(const MessageRows& rows, const NodeId* chosen, const MatrixView<const Real>& d_out,
                               const MatrixView<Real>& d_q);

}  // namespace gir::cpu
