#include "device_copy.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

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

/// Rows of some nodes as rows of all.
struct OffsetsByNode {
  at::Tensor offsets;
  std::unique_ptr<LongRowsCopy> long_rows;
};

/// What an array's companion is here.
struct Copy {
  int device;
  at::Tensor values;
  std::unique_ptr<LongRowsCopy> long_rows = {};  ///< of offsets
  std::unique_ptr<OffsetsByNode> by_node = {};   ///< of nodes that have rows
};

/// Of all companions: any thread may be the first to ask.
std::mutex& companions() {
  static std::mutex mutex;
  return mutex;
}

bool is_here(const std::shared_ptr<void>& companion) {
  return companion != nullptr && static_cast<const Copy*>(companion.get())->device == c10::cuda::current_device();
}

/// Others may look for copies of theirs while this one is made.
Copy& copy_of(const void* values, std::size_t bytes, std::shared_ptr<void>& companion) {
  {
    const std::lock_guard lock(companions());
    if (is_here(companion)) return *static_cast<Copy*>(companion.get());
  }
  const auto made =
      std::make_shared<Copy>(Copy{.device = c10::cuda::current_device(), .values = copied(values, bytes)});
  c10::cuda::getCurrentCUDAStream().synchronize();  // others may read it on streams of their own
  const std::lock_guard lock(companions());
  if (!is_here(companion)) companion = made;
  return *static_cast<Copy*>(companion.get());
}

/// Puts what `find()` makes into a place that any thread may look at.
template <typename T, typename Find>
const T& found_once(std::unique_ptr<T>& place, const Find& find) {
  {
    const std::lock_guard lock(companions());
    if (place != nullptr) return *place;
  }
  std::unique_ptr<T> found = find();
  const std::lock_guard lock(companions());
  if (place == nullptr) place = std::move(found);
  return *place;
}

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

at::Tensor room_for(std::int64_t count, at::ScalarType type) {
  return at::empty({count}, at::TensorOptions(type).device(at::kCUDA));
}

at::Tensor copied(const void* values, std::size_t bytes) {
  at::Tensor copy = room_for(static_cast<std::int64_t>(bytes), at::kByte);
  if (bytes == 0) return copy;
  check(cudaMemcpyAsync(copy.data_ptr(), values, bytes, cudaMemcpyHostToDevice, c10::cuda::getCurrentCUDAStream()));
  return copy;
}

const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<void>& companion) {
  return copy_of(values, bytes, companion).values.data_ptr();
}

LongRows long_rows(const Array<EdgeId>& offsets) {
  if (offsets.empty()) return {};
  Copy& copy = copy_of(offsets.data(), static_cast<std::size_t>(offsets.size()) * sizeof(EdgeId), offsets.companion());
  return found_once(copy.long_rows, [&] { return find_long_rows(offsets.span()); }).view;
}

RowsByNode rows_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets, std::int64_t num_nodes) {
  if (nodes.size() == num_nodes) return {on_device(offsets), long_rows(offsets)};
  Copy& copy = copy_of(nodes.data(), static_cast<std::size_t>(nodes.size()) * sizeof(NodeId), nodes.companion());
  const OffsetsByNode& found = found_once(copy.by_node, [&] { return find_by_node(nodes, offsets, num_nodes); });
  return {static_cast<const EdgeId*>(found.offsets.data_ptr()), found.long_rows->view};
}

}  // namespace gir::cuda
