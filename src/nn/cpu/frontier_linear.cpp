#include "frontier_linear.h"

#include <algorithm>
#include <vector>

#include "gir/core/parallel.h"
#include "partial_sums.h"

namespace gir::cpu {
namespace {

constexpr std::int64_t kRowsPerBlock = 256;   ///< of one matrix product: its operands stay in the cache
constexpr std::int64_t kMostChunks = 64;      ///< each has a partial sum of the weights' gradients
constexpr std::int64_t kLeastWork = 1 << 14;  ///< edges and rows of a chunk
constexpr std::int64_t kLeastRows = 4 * kRowsPerBlock;

/// Calls `body(begin, end)` for blocks of rows of a range, in order.
template <typename Body>
void for_each_block(std::int64_t begin, std::int64_t end, const Body& body) {
  for (std::int64_t first = begin; first < end; first += kRowsPerBlock) {
    body(first, std::min(first + kRowsPerBlock, end));
  }
}

template <typename Body>
std::int64_t for_each_chunk(std::int64_t rows, const Body& body) {
  return cpu::for_each_chunk(rows, kMostChunks, kLeastRows, body);
}

/// Whether nodes[begin .. end) follow each other, so that their rows lie together.
bool contiguous(const NodeId* nodes, std::int64_t begin, std::int64_t end) {
  return nodes[end - 1] - nodes[begin] == end - begin - 1;
}

/// The rows of nodes[begin .. end): in place where they lie together, else copied to `room`.
template <typename Real>
MatrixView<const Real> rows_of(const MatrixView<const Real>& matrix, const NodeId* nodes, std::int64_t begin,
                               std::int64_t end, std::vector<Real>& room) {
  if (contiguous(nodes, begin, end)) return matrix.row_range(nodes[begin], nodes[begin] + end - begin);
  room.resize(static_cast<std::size_t>((end - begin) * matrix.columns));
  for (std::int64_t i = begin; i < end; ++i) {
    std::copy_n(matrix.data + nodes[i] * matrix.columns, matrix.columns, room.data() + (i - begin) * matrix.columns);
  }
  return {room.data(), end - begin, matrix.columns};
}

/// Multiplies into the rows of nodes[begin .. end), directly where they lie together.
template <typename Real>
void multiply_into_rows(Product product, const MatrixView<const Real>& a, const MatrixView<const Real>& b,
                        const NodeId* nodes, std::int64_t begin, std::int64_t end, const MatrixView<Real>& result,
                        bool add, std::vector<Real>& room) {
  if (contiguous(nodes, begin, end)) {
    return multiply(product, a, b, result.row_range(nodes[begin], nodes[begin] + end - begin), add);
  }
  const std::int64_t width = result.columns;
  room.resize(static_cast<std::size_t>((end - begin) * width));
  multiply(product, a, b, MatrixView<Real>{room.data(), end - begin, width}, false);
  for (std::int64_t i = begin; i < end; ++i) {
    const Real* from = room.data() + (i - begin) * width;
    Real* to = result.data + nodes[i] * width;
    if (add) {
      for (std::int64_t j = 0; j < width; ++j) to[j] += from[j];
    } else {
      std::copy_n(from, width, to);
    }
  }
}

/// out = h W_self + b
template <typename Real>
void forward_self(const MatrixView<const Real>& h, const LayerWeights<const Real>& weights,
                  const MatrixView<Real>& out) {
  parallel_for(out.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    const MatrixView<Real> block = out.row_range(begin, end);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      Real* row = block.data + i * block.columns;
      weights.bias == nullptr ? std::fill_n(row, block.columns, Real{0})
                              : std::copy_n(weights.bias, block.columns, row);
    }
    if (weights.self == nullptr) return;
    multiply(Product::kAB, h.row_range(begin, end), {weights.self, h.columns, out.columns}, block, true);
  });
}

/// out += messages(h) W_messages, one block of messages at a time.
template <typename Real>
void forward_aggregate_first(const MessageRows& rows, const MatrixView<const Real>& h, const Real* w_messages,
                             const MatrixView<Real>& out) {
  for_each_row_chunk(rows.incoming, kMostChunks, kLeastWork, [&](std::int64_t, std::int64_t first, std::int64_t last) {
    std::vector<Real> messages(static_cast<std::size_t>(kRowsPerBlock * h.columns));
    std::vector<Real> room;
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      gather_rows(rows.incoming, begin, end, h.data, h.columns, messages.data());
      multiply_into_rows<Real>(Product::kAB, {messages.data(), end - begin, h.columns},
                               {w_messages, h.columns, out.columns}, rows.receivers, begin, end, out, true, room);
    });
  });
}

/// out += messages(h W_messages): less to gather when W_messages makes rows shorter.
template <typename Real>
void forward_multiply_first(const MessageRows& rows, const MatrixView<const Real>& h, const Real* w_messages,
                            const MatrixView<Real>& out) {
  // Rows of nodes that do not send are never written nor read.
  const Array<Real> products(out.rows * out.columns);
  const MatrixView<Real> product{const_cast<Real*>(products.data()), out.rows, out.columns};
  parallel_for(rows.outgoing.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> room;
    std::vector<Real> other_room;
    multiply_into_rows<Real>(Product::kAB, rows_of(h, rows.senders, begin, end, room),
                             {w_messages, h.columns, out.columns}, rows.senders, begin, end, product, false,
                             other_room);
  });
  for_each_row_chunk(rows.incoming, kMostChunks, kLeastWork, [&](std::int64_t, std::int64_t first, std::int64_t last) {
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

/// d_h = d_out W_selfᵀ, d_W_self = hᵀ d_out, d_b = Σ d_out
template <typename Real>
void backward_self(const MatrixView<const Real>& h, const LayerWeights<const Real>& weights,
                   const MatrixView<const Real>& d_out, const MatrixView<Real>& d_h,
                   const LayerWeights<Real>& d_weights) {
  PartialSums<Real> d_self(kMostChunks, d_weights.self == nullptr ? 0 : h.columns * d_out.columns);
  PartialSums<Real> d_bias(kMostChunks, d_weights.bias == nullptr ? 0 : d_out.columns);
  const std::int64_t chunks = for_each_chunk(d_out.rows, [&](std::int64_t chunk, std::int64_t first,
                                                             std::int64_t last) {
    d_self.begin(chunk);
    d_bias.begin(chunk);
    for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
      const MatrixView<const Real> d_block = d_out.row_range(begin, end);
      if (d_h.data != nullptr) {
        const MatrixView<Real> d_h_block = d_h.row_range(begin, end);
        if (weights.self != nullptr) {
          multiply(Product::kABt, d_block, {weights.self, h.columns, d_out.columns}, d_h_block, false);
        } else {
          std::fill_n(d_h_block.data, d_h_block.rows * d_h_block.columns, Real{0});
        }
      }
      if (d_weights.self != nullptr) {
        multiply(Product::kAtB, h.row_range(begin, end), d_block, {d_self.part(chunk), h.columns, d_out.columns}, true);
      }
      if (d_weights.bias != nullptr) add_rows(d_block.data, d_block.rows, d_block.columns, d_bias.part(chunk));
    });
  });
  if (d_weights.self != nullptr) d_self.total(chunks, d_weights.self);
  if (d_weights.bias != nullptr) d_bias.total(chunks, d_weights.bias);
}

/// With g_u = Σ of what u's receivers pass back: d_h_u += g_u W_messagesᵀ, d_W_messages = Σ h_uᵀ g_u.
template <typename Real>
void backward_messages(const MessageRows& rows, const MatrixView<const Real>& h,
                       const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                       const MatrixView<Real>& d_h, Real* d_w_messages) {
  PartialSums<Real> partial(kMostChunks, h.columns * d_out.columns);
  const std::int64_t chunks = for_each_row_chunk(
      rows.outgoing, kMostChunks, kLeastWork, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
        partial.begin(chunk);
        std::vector<Real> passed_back(static_cast<std::size_t>(kRowsPerBlock * d_out.columns));
        std::vector<Real> room;
        for_each_block(first, last, [&](std::int64_t begin, std::int64_t end) {
          gather_rows(rows.outgoing, begin, end, d_out.data, d_out.columns, passed_back.data());
          const MatrixView<const Real> g{passed_back.data(), end - begin, d_out.columns};
          multiply(Product::kAtB, rows_of(h, rows.senders, begin, end, room), g,
                   {partial.part(chunk), h.columns, d_out.columns}, true);
          if (d_h.data == nullptr) return;
          multiply_into_rows<Real>(Product::kABt, g, {weights.messages, h.columns, d_out.columns}, rows.senders, begin,
                                   end, d_h, true, room);
        });
      });
  partial.total(chunks, d_w_messages);
}

}  // namespace

template <typename Real>
void frontier_linear_forward(const MessageRows& rows, const MatrixView<const Real>& h,
                             const LayerWeights<const Real>& weights, const MatrixView<Real>& out) {
  forward_self(h, weights, out);
  h.columns <= out.columns ? forward_aggregate_first(rows, h, weights.messages, out)
                           : forward_multiply_first(rows, h, weights.messages, out);
}

template <typename Real>
void frontier_linear_backward(const MessageRows& rows, const MatrixView<const Real>& h,
                              const LayerWeights<const Real>& weights, const MatrixView<const Real>& d_out,
                              const MatrixView<Real>& d_h, const LayerWeights<Real>& d_weights) {
  backward_self(h, weights, d_out, d_h, d_weights);
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
