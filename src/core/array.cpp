#include "gir/core/array.h"

#include <sys/mman.h>

namespace gir::detail {

void* allocate_block(std::int64_t count, std::size_t item_size) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  std::size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(static_cast<std::size_t>(count), item_size, &bytes) ||
      bytes > static_cast<std::size_t>(PTRDIFF_MAX)) {
    throw std::bad_alloc();
  }
  void* block = nullptr;
  if (bytes < 4 * kHugePage) {
    block = std::malloc(bytes);
  } else {
    // Page faults of a large block cost as much as filling it; huge pages avoid most of them.
    block = std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage);
    if (block != nullptr) ::madvise(block, bytes, MADV_HUGEPAGE);
  }
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace gir::detail
