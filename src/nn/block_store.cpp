#include "block_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "gir/core/error.h"

namespace gir {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// A block may be larger than what is asked for by this share of it: more would be lost room.
constexpr std::size_t kSparePart = 8;

/// The system aligns to small pages, so the borders are cut off.
void* map_block(std::size_t bytes) {
  const std::size_t room = bytes + kHugePage;
  void* const mapped = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
  while (!kept_.empty()) forget(kept_.begin());
}

void BlockStore::forget(std::multimap<std::size_t, void*>::iterator block) {
  ::munmap(block->second, block->first);
  memory_.kept -= static_cast<std::int64_t>(block->first);
  kept_.erase(block);
}

void* BlockStore::take(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - 2 * kHugePage) throw std::bad_alloc();
  const std::size_t wanted = std::max<std::size_t>(1, (bytes + kHugePage - 1) / kHugePage) * kHugePage;
  const std::lock_guard lock(mutex_);
  const auto found = kept_.lower_bound(wanted);
  std::size_t size = wanted;
  void* block = nullptr;
  if (found != kept_.end() && found->first - wanted <= wanted / kSparePart) {
    size = found->first;
    block = found->second;
    memory_.kept -= static_cast<std::int64_t>(size);
    kept_.erase(found);
  } else {
    const std::int64_t in_use = memory_.in_use + static_cast<std::int64_t>(wanted);
    const std::int64_t most = std::max(memory_.most_in_use, in_use);
    while (!kept_.empty() && in_use + memory_.kept > most) forget(kept_.begin());
    block = map_block(wanted);
    while (block == nullptr && !kept_.empty()) {
      forget(std::prev(kept_.end()));
      block = map_block(wanted);
    }
    if (block == nullptr) throw std::bad_alloc();
  }
  taken_.emplace(block, size);
  memory_.in_use += static_cast<std::int64_t>(size);
  memory_.most_in_use = std::max(memory_.most_in_use, memory_.in_use);
  return block;
}

void BlockStore::give_back(void* block) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(block);
  ensure(found != taken_.end(), "a block of this store");
  kept_.emplace(found->second, block);
  memory_.kept += static_cast<std::int64_t>(found->second);
  memory_.in_use -= static_cast<std::int64_t>(found->second);
  taken_.erase(found);
}

TensorMemory BlockStore::memory() const {
  const std::lock_guard lock(mutex_);
  return memory_;
}

}  // namespace gir
