#include "block_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "gir/core/error.h"

namespace gir {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// A cached block is reused if it exceeds the request by at most 1/8: larger blocks would waste too much memory.
constexpr std::size_t kLargestExcess = 8;

/// mmap() aligns to small pages only: maps one huge page more and unmaps the unaligned ends.
void* map_block(std::size_t bytes) {
  const std::size_t padded = bytes + kHugePage;
  void* const mapped = ::mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(begin, before);
  if (before < kHugePage) ::munmap(begin + before + bytes, kHugePage - before);
  ::madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

}  // namespace

BlockStore::~BlockStore() {
  while (!cached_.empty()) release(cached_.begin());
}

void BlockStore::release(std::multimap<std::size_t, void*>::iterator block) {
  ::munmap(block->second, block->first);
  memory_.cached -= static_cast<std::int64_t>(block->first);
  cached_.erase(block);
}

void* BlockStore::take(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - 2 * kHugePage) throw std::bad_alloc();
  const std::size_t wanted = std::max<std::size_t>(1, (bytes + kHugePage - 1) / kHugePage) * kHugePage;
  const std::lock_guard lock(mutex_);
  const auto found = cached_.lower_bound(wanted);
  std::size_t size = wanted;
  void* block = nullptr;
  if (found != cached_.end() && found->first - wanted <= wanted / kLargestExcess) {
    size = found->first;
    block = found->second;
    memory_.cached -= static_cast<std::int64_t>(size);
    cached_.erase(found);
  } else {
    const std::int64_t in_use = memory_.in_use + static_cast<std::int64_t>(wanted);
    const std::int64_t peak = std::max(memory_.peak, in_use);
    // No suitable block: first free small ones, so that tensors and cache together never exceed the peak of tensors.
    while (!cached_.empty() && in_use + memory_.cached > peak) release(cached_.begin());
    block = map_block(wanted);
    // The system is out of memory: retry after freeing the largest cached blocks.
    while (block == nullptr && !cached_.empty()) {
      release(std::prev(cached_.end()));
      block = map_block(wanted);
    }
    if (block == nullptr) throw std::bad_alloc();
  }
  in_use_.emplace(block, size);
  memory_.in_use += static_cast<std::int64_t>(size);
  memory_.peak = std::max(memory_.peak, memory_.in_use);
  return block;
}

void BlockStore::give_back(void* block) {
  const std::lock_guard lock(mutex_);
  const auto found = in_use_.find(block);
  ensure(found != in_use_.end(), "a block of this store");
  cached_.emplace(found->second, block);
  memory_.cached += static_cast<std::int64_t>(found->second);
  memory_.in_use -= static_cast<std::int64_t>(found->second);
  in_use_.erase(found);
}

TensorMemory BlockStore::memory() const {
  const std::lock_guard lock(mutex_);
  return memory_;
}

}  // namespace gir
