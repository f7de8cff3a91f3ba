#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gather.h"
#include "gir/core/array.h"

namespace gir::cuda {

/// An uninitialised tensor on the GPU of the calling thread.
at::Tensor empty_on_device(std::int64_t count, at::ScalarType type);

/// A copy on that GPU, as bytes; asynchronous, on the current stream.
at::Tensor copied(const void* values, std::size_t bytes);

template <typename T>
at::Tensor copied(std::span<const T> values) {
  return copied(values.data(), values.size_bytes());
}

/// The contents of a byte tensor; null if it is empty.
template <typename T>
T* address_in(const at::Tensor& bytes) {
  return bytes.numel() == 0 ? nullptr : static_cast<T*>(bytes.data_ptr());
}

/// The copy of `bytes` on the GPU of the calling thread; made at the first call and cached in `companion`.
const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<ArrayCompanion>& companion);

/// The values of an array on the GPU; null if it is empty. Copied once and cached for the lifetime of the array, which
/// must not change any more.
template <typename T>
const T* on_device(const Array<T>& array) {
  if (array.empty()) return nullptr;
  return static_cast<const T*>(
      copy_on_device(array.data(), static_cast<std::size_t>(array.size()) * sizeof(T), array.companion()));
}

/// The long rows of a matrix with these CSR offsets; computed once.
LongRows long_rows(const Array<EdgeId>& offsets);

/// CSR rows for all nodes; empty for nodes that have no edges.
struct RowsByNode {
  const EdgeId* offsets = nullptr;  ///< [num_nodes + 1]
  LongRows long_rows = {};
};

/// Expands the rows of `nodes` (ascending) with these offsets to all nodes; computed once.
RowsByNode rows_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets, std::int64_t num_nodes);

}  // namespace gir::cuda
