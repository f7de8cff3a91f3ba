#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "gir/nn/tensor_memory.h"

namespace gir {

/// A cache of large memory blocks: a freed block is reused for the next request of about the same size. Thread-safe.
class BlockStore {
 public:
  BlockStore() = default;
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;
  ~BlockStore();

  /// At least `bytes`, aligned to a huge page, uninitialised; std::bad_alloc if the system has no memory left.
  void* take(std::size_t bytes);

  /// Returns a block from take() to the cache.
  void give_back(void* block);

  TensorMemory memory() const;

 private:
  /// Returns a cached block to the system.
  void release(std::multimap<std::size_t, void*>::iterator block);

  mutable std::mutex mutex_;
  std::map<void*, std::size_t> in_use_;
  std::multimap<std::size_t, void*> cached_;  ///< by size
  TensorMemory memory_;
};

}  // namespace gir
