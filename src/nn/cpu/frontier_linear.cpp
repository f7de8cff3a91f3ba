#include "frontier_linear.h"

#include <algorithm>
#include <vector>

#include "gir/core/array.h"
#include "gir/core/parallel.h"
#include "linear.h"
#include "partial_sums.h"
#include "row_blocks.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kMinWork = 1 << 14;  ///< edges plus rows per chunk

/// Whether nodes[begin .. end) are consecutive ids, so that their rows are contiguous in memory.
bool contiguous(const NodeId* nodes, std::int64_t begin, std::int64_t end) {
  return nodes[end - 1] - nodes[begin] == end - begin - 1;
}

/// The rows of nodes[begin .. end): a view if they are contiguous, else a copy in `workspace`.
template <typename Real>
MatrixView<const Real> rows_of(const MatrixView<const Real>& matrix, const NodeId* nodes, std::int64_t begin,
                               std::int64_t end, std::vector<Real>& workspace) {
  if (contiguous(nodes, begin, end)) return matrix.row_range(nodes[begin], nodes[begin] + end - begin);
  workspace.resize(static_cast<std::size_t>((end - begin) * matrix.columns));
  for (std::int64_t i = begin; i < end; ++i) {
    std::copy_n(matrix.data + nodes[i] * matrix.columns, matrix.columns,
                workspace.data() + (i - begin) * matrix.columns);
  }
  return {workspace.data(), end - begin, matrix.columns};
}

/// Writes (or adds) a product to the rows of nodes[begin .. end): directly if they are contiguous, else through
/// `workspace`.
template <typename Real>
void multiply_into_rows(Product product, const MatrixView<const Real>& a, const MatrixView<const Real>& b,
                        const NodeId* nodes, std::int64_t begin, std::int64_t end, const MatrixView<Real>& result,
                        bool add, std::vector<Real>& workspace) {
  if (contiguous(nodes, begin, end)) {
    return multiply(product, a, b, result.row_range(nodes[begin], nodes[begin] + end - begin), add);
  }
  const std::int64_t width = result.columns;
  workspace.resize(static_cast<std::size_t>((end - begin) * width));
  multiply(product, a, b, MatrixView<Real>{workspace.data(), end - begin, width}, false);
  for (std::int64_t i = begin; i < end; ++i) {
    const Real* from = workspace.data() + (i - begin) * width;
    Real* to = result.data + nodes[i] * width;
    if (add) {
      for (std::int64_t j = 0; j < width; ++j) to[j] += from[j];
    } else {
      std::copy_n(from, width, to);
    }
  }
}

/// out += messages(h) W_messages, one block of messages at a time.
template <typename Real>
void forward_aggregate_first(const MessageRows& rows, const MatrixView<const Real>& h, const Real* w_messages,
                             const MatrixView<Real>& out) {
  for_each_row_chunk(rows.incoming, kMaxChunks, kMinWork, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    std::vector<Real> messages(static_cast<std::size_t>(kRowsPerBlock * h.columns));
    std::vector<Real> workspace;
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      gather_rows(rows.incoming, begin, end, h.data, h.columns, messages.data());
      multiply_into_rows<Real>(Product::kAB, {messages.data(), end - begin, h.columns},
                               {w_messages, h.columns, out.columns}, rows.receivers, begin, end, out, true, workspace);
    });
  });
}

/// out += messages(h W_messages): fewer values per edge if W_messages makes rows narrower.
template <typename Real>
void forward_multiply_first(const MessageRows& rows, const MatrixView<const Real>& h, const Real* w_messages,
                            const MatrixView<Real>& out) {
  // Rows of nodes that do not send are neither written nor read.
  const Array<Real> products(out.rows * out.columns);
  const MatrixView<Real> product{const_cast<Real*>(products.data()), out.rows, out.columns};
  parallel_for(rows.outgoing.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> workspace;
    std::vector<Real> product_workspace;
    multiply_into_rows<Real>(Product::kAB, rows_of(h, rows.senders, begin, end, workspace),
                             {w_messages, h.columns, out.columns}, rows.senders, begin, end, product, false,
                             product_workspace);
  });
  for_each_row_chunk(rows.incoming, kMaxChunks, kMinWork, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    std::vector<Real> messages(static_cast<std::size_t>(kRowsPerBlock * out.columns));
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      gather_rows(rows.incoming, begin, end, product.data, out.columns, messages.data());
      for (std::int64_t i = begin; i < end; ++i) {
        const Real* from = messages.data() + (i - begin) * out.columns;
        Real* to = out.data + rows.receivers[i] * out.columns;
        for (std::int64_t j = 0; j < out.columns; ++j) to[j] += from[j];
      }
    });
  });
}

/// With g_u = Σ of the gradients d_out of u's receivers: d_h_u += g_u W_messagesᵀ, d_W_messages = Σ h_uᵀ g_u.
template <typename Real>
void backward_messages(const MessageRows& rows, const MatrixView<const Real>& h,
                       const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                       const MatrixView<Real>& d_h, Real* d_w_messages) {
  PartialSums<Real> partial(kMaxChunks, h.columns * d_out.columns);
  const std::int64_t chunks = for_each_row_chunk(
      rows.outgoing, kMaxChunks, kMinWork, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
        partial.begin(chunk);
        std::vector<Real> passed_back(static_cast<std::size_t>(kRowsPerBlock * d_out.columns));
        std::vector<Real> workspace;
        for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
          gather_rows(rows.outgoing, begin, end, d_out.data, d_out.columns, passed_back.data());
          const MatrixView<const Real> g{passed_back.data(), end - begin, d_out.columns};
          multiply(Product::kAtB, rows_of(h, rows.senders, begin, end, workspace), g,
                   {partial.part(chunk), h.columns, d_out.columns}, true);
          if (d_h.data == nullptr) return;
          multiply_into_rows<Real>(Product::kABt, g, {weights.messages, h.columns, d_out.columns}, rows.senders, begin,
                                   end, d_h, true, workspace);
        });
      });
  partial.total(chunks, d_w_messages);
}

}  // namespace

template <typename Real>
void frontier_linear_forward(const MessageRows& rows, const MatrixView<const Real>& h,
                             const LayerWeights<const Real>& weights, const MatrixView<Real>& out) {
  linear_forward<Real>(h, {weights.self, h.columns, out.columns}, weights.bias, out);
  h.columns <= out.columns ? forward_aggregate_first(rows, h, weights.messages, out)
                           : forward_multiply_first(rows, h, weights.messages, out);
}

template <typename Real>
void frontier_linear_backward(const MessageRows& rows, const MatrixView<const Real>& h,
                              const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                              const MatrixView<Real>& d_h, const LayerWeights<Real>& d_weights) {
  linear_backward<Real>(h, {weights.self, h.columns, d_out.columns}, d_out, d_h, d_weights.self, d_weights.bias);
  backward_messages(rows, h, weights, d_out, d_h, d_weights.messages);
}

#define GIR_INSTANTIATE(Real)                                                                            \
  template void frontier_linear_forward(const MessageRows&, const MatrixView<const Real>&,               \
                                        const LayerWeights<const Real>&, const MatrixView<Real>&);       \
  template void frontier_linear_backward(const MessageRows&, const MatrixView<const Real>&,              \
                                         const LayerWeights<const Real>&, const MatrixView<const Real>&, \
                                         const MatrixView<Real>&, const LayerWeights<Real>&);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cpu
