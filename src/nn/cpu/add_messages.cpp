#include "add_messages.h"

#include <vector>

#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

/// Maximum over the rows of q that a row of `edges` refers to, and the first column that has it. NaN counts as largest,
/// so that a diverged run is visible. Branch-free, so that it vectorises.
template <typename Real>
[[gnu::always_inline]] inline void find_largest(const EdgeRows& edges, std::int64_t row, const Real* q,
                                                std::int64_t width, Real* __restrict largest,
                                                NodeId* __restrict chosen) {
  const NodeId first = edges.columns[edges.offsets[row]];
  std::copy_n(q + first * width, width, largest);
  std::fill_n(chosen, width, first);
  for (EdgeId edge = edges.offsets[row] + 1; edge < edges.offsets[row + 1]; ++edge) {
    const NodeId column = edges.columns[edge];
    const Real* __restrict values = q + column * width;
    if (edge + 1 < edges.offsets[row + 1]) prefetch_row(q + edges.columns[edge + 1] * width, width);
    for (std::int64_t j = 0; j < width; ++j) {
      const bool larger = (values[j] > largest[j]) | (values[j] != values[j]);
      largest[j] = larger ? values[j] : largest[j];
      chosen[j] = larger ? column : chosen[j];
    }
  }
}

template <typename Real>
[[gnu::always_inline]] inline void add_largest(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                               const Real* q, std::int64_t width, Real* __restrict largest,
                                               NodeId* unused_argmax, NodeId* chosen, Real* out) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t at = rows.receivers[row] * width;
    find_largest(rows.incoming, row, q, width, largest, chosen == nullptr ? unused_argmax : chosen + at);
    Real* __restrict sums = out + at;
    for (std::int64_t j = 0; j < width; ++j) sums[j] += largest[j];
  }
}

/// d_q of the senders: by sender and not by receiver, so that no two threads write the same row.
template <typename Real>
[[gnu::always_inline]] inline void pass_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                             const NodeId* chosen, const Real* d_out, std::int64_t width, Real* d_q) {
  for (std::int64_t row = begin; row < end; ++row) {
    const NodeId sender = rows.senders[row];
    Real* __restrict sums = d_q + sender * width;
    for (EdgeId edge = rows.outgoing.offsets[row]; edge < rows.outgoing.offsets[row + 1]; ++edge) {
      const std::int64_t at = rows.outgoing.columns[edge] * width;
      const Real* __restrict gradient = d_out + at;
      const NodeId* __restrict argmax = chosen + at;
      for (std::int64_t j = 0; j < width; ++j) sums[j] += argmax[j] == sender ? gradient[j] : Real{0};
    }
  }
}

#define GIR_RANGES(Real)                                                                                             \
  GIR_VECTORISED void add_largest_rows(const MessageRows& rows, std::int64_t begin, std::int64_t end, const Real* q, \
                                       std::int64_t width, Real* largest, NodeId* unused_argmax, NodeId* chosen,     \
                                       Real* out) {                                                                  \
    add_largest(rows, begin, end, q, width, largest, unused_argmax, chosen, out);                                    \
  }                                                                                                                  \
  GIR_VECTORISED void pass_back_rows(const MessageRows& rows, std::int64_t begin, std::int64_t end,                  \
                                     const NodeId* chosen, const Real* d_out, std::int64_t width, Real* d_q) {       \
    pass_back(rows, begin, end, chosen, d_out, width, d_q);                                                          \
  }
GIR_RANGES(float)
GIR_RANGES(double)
#undef GIR_RANGES

}  // namespace

template <typename Real>
void add_messages(const NodeId* nodes, const EdgeRows& edges, const MatrixView<const Real>& base,
                  const MatrixView<const Real>& values, const MatrixView<Real>& out) {
  for_each_node_block(out.rows, nodes, edges.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows(base, first, last, out);
                        add_gathered_rows(edges, begin, end, nodes, values.data, values.columns, out.data);
                      });
}

template <typename Real>
void add_max_messages_forward(const MessageRows& rows, const MatrixView<const Real>& base,
                              const MatrixView<const Real>& q, const MatrixView<Real>& out, NodeId* chosen) {
  for_each_node_block(out.rows, rows.receivers, rows.incoming.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows(base, first, last, out);
                        std::vector<Real> largest(static_cast<std::size_t>(q.columns));
                        std::vector<NodeId> unused_argmax(static_cast<std::size_t>(chosen == nullptr ? q.columns : 0));
                        add_largest_rows(rows, begin, end, q.data, q.columns, largest.data(), unused_argmax.data(),
                                         chosen, out.data);
                      });
}

template <typename Real>
void add_max_messages_backward(const MessageRows& rows, const NodeId* chosen, const MatrixView<const Real>& d_out,
                               const MatrixView<Real>& d_q) {
  for_each_node_block(d_q.rows, rows.senders, rows.outgoing.rows,
                      [&](std::int64_t first, std::int64_t last, std::int64_t begin, std::int64_t end) {
                        start_rows<Real>({}, first, last, d_q);
                        pass_back_rows(rows, begin, end, chosen, d_out.data, d_out.columns, d_q.data);
                      });
}

#define GIR_INSTANTIATE(Real)                                                                               \
  template void add_messages(const NodeId*, const EdgeRows&, const MatrixView<const Real>&,                 \
                             const MatrixView<const Real>&, const MatrixView<Real>&);                       \
  template void add_max_messages_forward(const MessageRows&, const MatrixView<const Real>&,                 \
                                         const MatrixView<const Real>&, const MatrixView<Real>&, NodeId*);  \
  template void add_max_messages_backward(const MessageRows&, const NodeId*, const MatrixView<const Real>&, \
                                          const MatrixView<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
