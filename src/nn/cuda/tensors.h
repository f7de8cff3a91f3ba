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

/// Whether an optional tensor is present.
inline bool has(const at::Tensor& tensor) { return tensor.defined() && tensor.numel() > 0; }

inline MessageRows rows_on_device(const Messages& messages) {
  return message_rows(messages, [](const auto& array) { return on_device(array); });
}

// Matrix products, in the precision of the calling thread's ContextScope.

/// a b
at::Tensor product(const at::Tensor& a, const at::Tensor& b);

/// out += a b
void add_product(at::Tensor& out, const at::Tensor& a, const at::Tensor& b);

/// x w + bias; either term may be omitted. [rows, columns]
at::Tensor affine(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, std::int64_t columns);

/// Sum over rows, in a fixed order.
at::Tensor column_sums(const at::Tensor& matrix);

/// A sparse matrix in CSR form, and the division of its long rows.
struct Gathering {
  EdgeRows edges;
  LongRows long_rows;
};

/// The message matrix of a layer (forward pass), and its transpose (backward pass).
Gathering incoming(const Messages& messages);
Gathering outgoing(const Messages& messages);

/// The same with one row per node.
Gathering incoming_by_node(const Messages& messages);
Gathering outgoing_by_node(const Messages& messages);

/// Sparse matrix times `values`, plus `base` if defined: [rows, width of values]. Rows of values and base may be views
/// of wider rows.
at::Tensor gathered(const Gathering& gathering, const at::Tensor& values, const at::Tensor& base = {});

/// The concatenation of `values` and the sparse matrix times `values`: [rows, twice the width]. The matrix is square.
at::Tensor beside_gathered(const Gathering& gathering, const at::Tensor& values);

/// Adds row i of the sparse matrix times `values` to row nodes[i] of `out`, or to row i if `nodes` is null.
void add_gathered(const Gathering& gathering, const at::Tensor& values, const NodeId* nodes, const at::Tensor& out);

}  // namespace gir::cuda
