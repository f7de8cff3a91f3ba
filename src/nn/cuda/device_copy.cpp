#include "device_copy.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "launch.h"

namespace gir::cuda {
namespace {

struct LongRowsCopy {
  LongRows view;
  at::Tensor rows, first_piece, piece_row, piece_begin;
};

/// CSR offsets for all nodes, from those of the nodes that have rows.
struct OffsetsByNode {
  at::Tensor offsets;
  std::unique_ptr<LongRowsCopy> long_rows;
};

/// The copy of an array on one GPU, and what was derived from it.
struct Copy {
  at::Tensor values;
  std::unique_ptr<LongRowsCopy> long_rows = {};  ///< if the array contains offsets
  std::unique_ptr<OffsetsByNode> by_node = {};   ///< if the array contains the nodes of rows
};

/// Attached to an array: its copies, one per GPU.
struct Copies final : ArrayCompanion {
  std::map<int, Copy> by_device;  ///< references stay valid while others are added
};

/// Protects the copies of all arrays: any thread may be the first that needs one.
std::mutex& companions() {
  static std::mutex mutex;
  return mutex;
}

/// The copy on the calling thread's GPU; null if there is none. The caller holds the lock.
Copy* find_copy(const std::shared_ptr<ArrayCompanion>& companion) {
  if (companion == nullptr) return nullptr;
  auto& copies = static_cast<Copies&>(*companion).by_device;
  const auto found = copies.find(c10::cuda::current_device());
  return found == copies.end() ? nullptr : &found->second;
}

/// Copies without holding the lock, so that other threads are not blocked. If two threads copy the same array, the
/// first copy is used.
Copy& copy_of(const void* values, std::size_t bytes, std::shared_ptr<ArrayCompanion>& companion) {
  {
    const std::lock_guard lock(companions());
    if (Copy* const copy = find_copy(companion)) return *copy;
  }
  Copy made{.values = copied(values, bytes)};
  c10::cuda::getCurrentCUDAStream().synchronize();  // other threads read it on their own streams
  const std::lock_guard lock(companions());
  if (companion == nullptr) companion = std::make_shared<Copies>();
  auto& copies = static_cast<Copies&>(*companion).by_device;
  return copies.try_emplace(c10::cuda::current_device(), std::move(made)).first->second;
}

/// Stores the result of `find()` in a pointer that is shared between threads, unless another thread was faster.
template <typename T, typename Find>
const T& compute_once(std::unique_ptr<T>& place, const Find& find) {
  {
    const std::lock_guard lock(companions());
    if (place != nullptr) return *place;
  }
  std::unique_ptr<T> found = find();
  const std::lock_guard lock(companions());
  if (place == nullptr) place = std::move(found);
  return *place;
}

/// Divides rows of more than kLongRow edges into segments.
std::unique_ptr<LongRowsCopy> find_long_rows(std::span<const EdgeId> offsets) {
  std::vector<std::int32_t> rows, first_piece = {0}, piece_row;
  std::vector<EdgeId> piece_begin;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row + 1] - offsets[row] <= kLongRow) continue;
    rows.push_back(static_cast<std::int32_t>(row));
    for (EdgeId begin = offsets[row]; begin < offsets[row + 1]; begin += kLongRow) {
      piece_row.push_back(static_cast<std::int32_t>(row));
      piece_begin.push_back(begin);
    }
    first_piece.push_back(static_cast<std::int32_t>(piece_row.size()));
  }
  auto copy =
      std::make_unique<LongRowsCopy>(LongRowsCopy{.view = {},
                                                  .rows = copied(std::span<const std::int32_t>(rows)),
                                                  .first_piece = copied(std::span<const std::int32_t>(first_piece)),
                                                  .piece_row = copied(std::span<const std::int32_t>(piece_row)),
                                                  .piece_begin = copied(std::span<const EdgeId>(piece_begin))});
  c10::cuda::getCurrentCUDAStream().synchronize();
  const auto address = [](const at::Tensor& tensor) { return tensor.data_ptr(); };
  copy->view = {.count = std::ssize(rows),
                .pieces = std::ssize(piece_row),
                .rows = static_cast<const std::int32_t*>(address(copy->rows)),
                .first_piece = static_cast<const std::int32_t*>(address(copy->first_piece)),
                .piece_row = static_cast<const std::int32_t*>(address(copy->piece_row)),
                .piece_begin = static_cast<const EdgeId*>(address(copy->piece_begin))};
  return copy;
}

std::unique_ptr<OffsetsByNode> find_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets,
                                            std::int64_t num_nodes) {
  std::vector<EdgeId> by_node(static_cast<std::size_t>(num_nodes) + 1);
  std::int64_t row = 0;
  for (std::int64_t node = 0; node <= num_nodes; ++node) {
    by_node[static_cast<std::size_t>(node)] = offsets[row];
    if (row < nodes.size() && nodes[row] == node) ++row;
  }
  auto found = std::make_unique<OffsetsByNode>(
      OffsetsByNode{.offsets = copied(std::span<const EdgeId>(by_node)), .long_rows = find_long_rows(by_node)});
  c10::cuda::getCurrentCUDAStream().synchronize();
  return found;
}

}  // namespace

at::Tensor empty_on_device(std::int64_t count, at::ScalarType type) {
  return at::empty({count}, at::TensorOptions(type).device(at::kCUDA));
}

at::Tensor copied(const void* values, std::size_t bytes) {
  at::Tensor copy = empty_on_device(static_cast<std::int64_t>(bytes), at::kByte);
  if (bytes == 0) return copy;
  check(cudaMemcpyAsync(copy.data_ptr(), values, bytes, cudaMemcpyHostToDevice, c10::cuda::getCurrentCUDAStream()));
  return copy;
}

const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<ArrayCompanion>& companion) {
  return copy_of(values, bytes, companion).values.data_ptr();
}

LongRows long_rows(const Array<EdgeId>& offsets) {
  if (offsets.empty()) return {};
  Copy& copy = copy_of(offsets.data(), static_cast<std::size_t>(offsets.size()) * sizeof(EdgeId), offsets.companion());
  return compute_once(copy.long_rows, [&] { return find_long_rows(offsets.span()); }).view;
}

RowsByNode rows_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets, std::int64_t num_nodes) {
  if (nodes.size() == num_nodes) return {on_device(offsets), long_rows(offsets)};
  Copy& copy = copy_of(nodes.data(), static_cast<std::size_t>(nodes.size()) * sizeof(NodeId), nodes.companion());
  const OffsetsByNode& found = compute_once(copy.by_node, [&] { return find_by_node(nodes, offsets, num_nodes); });
  return {static_cast<const EdgeId*>(found.offsets.data_ptr()), found.long_rows->view};
}

}  // namespace gir::cuda
