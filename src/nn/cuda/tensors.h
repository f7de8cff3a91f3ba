#pragma once

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDAStream.h>

#include "../message_rows.h"
#include "../tensors.h"
#include "device_copy.h"
#include "launch.h"

namespace gir::cuda {

inline cudaStream_t current_stream() { return c10::cuda::getCurrentCUDAStream().stream(); }

inline Grid grid_of(const at::Tensor& matrix) { return {matrix.size(0), matrix.size(1)}; }

/// Whether there is one.
inline bool has(const at::Tensor& tensor) { return tensor.defined() && tensor.numel() > 0; }

inline MessageRows rows_on_device(const Messages& messages) {
  return message_rows(messages, [](const auto& array) { return on_device(array); });
}

// Matrix products, in the precision of the calling thread's ContextScope.

/// a b
at::Tensor product(const at::Tensor& a, const at::Tensor& b);

/// out += a b
void add_product(at::Tensor& out, const at::Tensor& a, const at::Tensor& b);

/// x w + bias; either term may be missing, not both. [rows, columns]
at::Tensor affine(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, std::int64_t columns);

/// The sum of every column.
at::Tensor column_sums(const at::Tensor& matrix);

/// Rows of edges, and what is needed to share them out.
struct Gathering {
  EdgeRows edges;
  LongRows long_rows;
};

/// What a layer's receivers gather, and what its senders get back.
Gathering incoming(const Messages& messages);
Gathering outgoing(const Messages& messages);

/// The same with a row for every node.
Gathering incoming_by_node(const Messages& messages);
Gathering outgoing_by_node(const Messages& messages);

/// A row of sums for every row of edges: [rows, width of values]; on top of `base` where there is one, of that shape.
/// Rows of values and base may be parts of wider ones.
at::Tensor gathered(const Gathering& gathering, const at::Tensor& values, const at::Tensor& base = {});

/// Values and, beside each row, its sums: [rows, twice the width]. There are as many rows of edges as of values.
at::Tensor beside_gathered(const Gathering& gathering, const at::Tensor& values);

/// The same added to the rows `nodes` of `out`, or to rows of the same numbers where it is null.
void add_gathered(const Gathering& gathering, const at::Tensor& values, const NodeId* nodes, const at::Tensor& out);

}  // namespace gir::cuda
