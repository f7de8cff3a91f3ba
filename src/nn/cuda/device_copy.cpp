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

at::Tensor copied(const void* values, std::size_t bytes, c10::cuda::CUDAStream stream) {
  at::Tensor copy = at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions(at::kByte).device(at::kCUDA));
  if (bytes == 0) return copy;
  check(cudaMemcpyAsync(copy.data_ptr(), values, bytes, cudaMemcpyHostToDevice, stream));
  return copy;
}

template <typename T>
at::Tensor copied(const std::vector<T>& values, c10::cuda::CUDAStream stream) {
  return copied(values.data(), values.size() * sizeof(T), stream);
}

struct LongRowsCopy {
  LongRows view;
  at::Tensor rows, first_piece, piece_row, piece_begin;
};

/// What an array's companion is here.
struct Copy {
  int device;
  at::Tensor values;
  at::Tensor offsets_by_node = {};               ///< of nodes that have rows
  std::unique_ptr<LongRowsCopy> long_rows = {};  ///< of offsets, or of those by node
};

/// Of all companions: any thread may be the first to ask.
std::mutex& companions() {
  static std::mutex mutex;
  return mutex;
}

Copy& copy_of(const void* values, std::size_t bytes, std::shared_ptr<void>& companion) {
  const int device = c10::cuda::current_device();
  if (companion == nullptr || static_cast<Copy*>(companion.get())->device != device) {
    const auto stream = c10::cuda::getCurrentCUDAStream();
    companion = std::make_shared<Copy>(Copy{.device = device, .values = copied(values, bytes, stream)});
    stream.synchronize();  // others may read it on streams of their own
  }
  return *static_cast<Copy*>(companion.get());
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
  const auto stream = c10::cuda::getCurrentCUDAStream();
  auto copy = std::make_unique<LongRowsCopy>(LongRowsCopy{.view = {},
                                                          .rows = copied(rows, stream),
                                                          .first_piece = copied(first_piece, stream),
                                                          .piece_row = copied(piece_row, stream),
                                                          .piece_begin = copied(piece_begin, stream)});
  stream.synchronize();
  const auto address = [](const at::Tensor& tensor) { return tensor.data_ptr(); };
  copy->view = {.count = std::ssize(rows),
                .pieces = std::ssize(piece_row),
                .rows = static_cast<const std::int32_t*>(address(copy->rows)),
                .first_piece = static_cast<const std::int32_t*>(address(copy->first_piece)),
                .piece_row = static_cast<const std::int32_t*>(address(copy->piece_row)),
                .piece_begin = static_cast<const EdgeId*>(address(copy->piece_begin))};
  return copy;
}

}  // namespace

const void* copy_on_device(const void* values, std::size_t bytes, std::shared_ptr<void>& companion) {
  const std::lock_guard lock(companions());
  return copy_of(values, bytes, companion).values.data_ptr();
}

LongRows long_rows(const Array<EdgeId>& offsets) {
  if (offsets.empty()) return {};
  const std::lock_guard lock(companions());
  Copy& copy = copy_of(offsets.data(), static_cast<std::size_t>(offsets.size()) * sizeof(EdgeId), offsets.companion());
  if (copy.long_rows == nullptr) copy.long_rows = find_long_rows(offsets.span());
  return copy.long_rows->view;
}

RowsByNode rows_by_node(const Array<NodeId>& nodes, const Array<EdgeId>& offsets, std::int64_t num_nodes) {
  if (nodes.size() == num_nodes) return {on_device(offsets), long_rows(offsets)};
  const std::lock_guard lock(companions());
  Copy& copy = copy_of(nodes.data(), static_cast<std::size_t>(nodes.size()) * sizeof(NodeId), nodes.companion());
  if (!copy.offsets_by_node.defined()) {
    std::vector<EdgeId> by_node(static_cast<std::size_t>(num_nodes) + 1);
    std::size_t row = 0;
    for (std::int64_t node = 0; node <= num_nodes; ++node) {
      by_node[static_cast<std::size_t>(node)] = offsets[static_cast<std::int64_t>(row)];
      if (row < static_cast<std::size_t>(nodes.size()) && nodes[static_cast<std::int64_t>(row)] == node) ++row;
    }
    copy.long_rows = find_long_rows(by_node);
    const auto stream = c10::cuda::getCurrentCUDAStream();
    const at::Tensor offsets_copy = copied(by_node, stream);
    stream.synchronize();
    copy.offsets_by_node = offsets_copy;
  }
  return {static_cast<const EdgeId*>(copy.offsets_by_node.data_ptr()), copy.long_rows->view};
}

}  // namespace gir::cuda
