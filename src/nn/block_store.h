#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "gir/nn/tensor_memory.h"

namespace gir {

/// Large blocks of memory that outlive their users: what is given back waits for somebody who wants about as much.
/// Any thread may ask.
class BlockStore {
 public:
  BlockStore() = default;
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;
  ~BlockStore();

  /// At least `bytes`, aligned to a huge page, with anything in it; std::bad_alloc when there is none.
  void* take(std::size_t bytes);

  /// A block that take() gave.
  void give_back(void* block);

  TensorMemory memory() const;

 private:
  void forget(std::multimap<std::size_t, void*>::iterator block);

  mutable std::mutex mutex_;
  std::map<void*, std::size_t> taken_;
  std::multimap<std::size_t, void*> kept_;  ///< by size
  TensorMemory memory_;
};

}  // namespace gir
