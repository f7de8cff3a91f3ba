#include "add_messages.h"

#include <vector>

#include "gir/core/vectorise.h"

namespace gir::cpu {
namespace {

/// Largest of the rows that a row of `edges` names, and the first column that had it. Not-a-numbers win, so that a
/// broken run shows.
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
                                               NodeId* unwanted, NodeId* chosen, Real* out) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t at = rows.receivers[row] * width;
    find_largest(rows.incoming, row, q, width, largest, chosen == nullptr ? unwanted : chosen + at);
    Real* __restrict sums = out + at;
    for (std::int64_t j = 0; j < width; ++j) sums[j] += largest[j];
  }
}

template <typename Real>
[[gnu::always_inline]] inline void pass_back(const MessageRows& rows, std::int64_t begin, std::int64_t end,
                                             const NodeId* chosen, const Real* d_out, std::int64_t width, Real* d_q) {
  for (std::int64_t row = begin; row < end; ++row) {
    const NodeId sender = rows.senders[row];
    Real* __restrict sums = d_q + sender * width;
    for (EdgeId edge = rows.outgoing.offsets[row]; edge < rows.outgoing.offsets[row + 1]; ++edge) {
      const std::int64_t at = rows.outgoing.columns[edge] * width;
      const Real* __restrict gradient = d_out + at;
      const NodeId* __restrict whose = chosen + at;
      for (std::int64_t j = 0; j < width; ++j) sums[j] += whose[j] == sender ? gradient[j] : Real{0};
    }
  }
}

#define GIR_RANGES(Real)                                                                                             \
  GIR_VECTORISED void add_largest_rows(const MessageRows& rows, std::int64_t begin, std::int64_t end, const Real* q, \
                                       std::int64_t width, Real* largest, NodeId* unwanted, NodeId* chosen,          \
                                       Real* out) {                                                                  \
    add_largest(rows, begin, end, q, width, largest, unwanted, chosen, out);                                         \
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
                        std::vector<NodeId> unwanted(static_cast<std::size_t>(chosen == nullptr ? q.columns : 0));
                        add_largest_rows(rows, begin, end, q.data, q.columns, largest.data(), unwanted.data(), chosen,
                                         out.data);
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
