#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gather.h"
#include "gir/core/array.h"

namespace gir::cuda {

/// Room on the GPU of the calling thread.
at::Tensor room_for(std::int64_t count, at::ScalarType type);

/// A copy there, as bytes; in the order of the current stream.
at::Tensor copied(const void* values, std::size_t bytes);

template <typename T>
at::Tensor copied(std::span<const T> values) {
  return copied(values.data(), values.size_bytes());
}

/// What a tensor of bytes holds; null for an empty one.
template <typename T>
T* address_in(const at::Tensor& bytes) {
  return bytes.numel() == 0 ? nullptr : static_cast<T*>(bytes.data_ptr());
}

/// Copies `bytes` to the GPU of the calling thread, or finds them there: the copy is kept with `companion`.
const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<ArrayCompanion>& companion);

/// The values of an array on the GPU; null for an empty one. Copied once and kept as long as the array, which must not
/// change any more.
template <typename T>
const T* on_device(const Array<T>& array) {
  if (array.empty()) return nullptr;
  return static_cast<const T*>(
      copy_on_device(array.data(), static_cast<std::size_t>(array.size()) * sizeof(T), array.companion()));
}

/// The long rows of the edges with these offsets; found once.
LongRows long_rows(const Array<EdgeId>& offsets);

/// Rows of edges as rows of all nodes, empty for nodes that have none.
struct RowsByNode {
  const EdgeId* offsets = nullptr;  ///< [num_nodes + 1]
  LongRows long_rows = {};
};

/// The rows with these offsets, which are those of `nodes`, ascending; found once.
RowsByNode rows_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets, std::int64_t num_nodes);

}  // namespace gir::cuda
