#pragma once

#include <cstddef>
#include <memory>

#include "gather.h"
#include "gir/core/array.h"

namespace gir::cuda {

/// Copies `bytes` to the GPU of the calling thread, or finds them there: the copy is kept with `companion`.
const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<void>& companion);

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
