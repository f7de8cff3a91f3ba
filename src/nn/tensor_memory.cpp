#include "gir/nn/tensor_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <torch/version.h>

#include <cstring>

#include "block_store.h"

namespace gir {
namespace {

/// Tensors of at least this size are cached. Smaller ones are left to malloc, which handles them well.
constexpr std::size_t kLargeBytes = std::size_t{8} << 20;

/// Never destroyed: tensors with static lifetime may be freed later.
BlockStore& store() {
  static auto* const blocks = new BlockStore;
  return *blocks;
}

void give_back(void* block) { store().give_back(block); }

/// Forwards small requests to torch's default allocator.
class LargeTensorMemory : public c10::Allocator {
 public:
  explicit LargeTensorMemory(c10::Allocator* others) : others_(others) {}

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  c10::DataPtr allocate(std::size_t bytes) override { return take(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }
#else
  c10::DataPtr allocate(std::size_t bytes) const override { return take(bytes); }
#endif

 private:
  c10::DataPtr take(std::size_t bytes) const {
    if (bytes < kLargeBytes) return others_->allocate(bytes);
    void* const block = store().take(bytes);
    return {block, block, &give_back, c10::Device(c10::DeviceType::CPU)};
  }

  c10::Allocator* others_;
};

}  // namespace

void cache_tensor_memory() {
  static auto* const memory = new LargeTensorMemory(c10::GetCPUAllocator());
  c10::SetCPUAllocator(memory);
}

TensorMemory tensor_memory() { return store().memory(); }

}  // namespace gir
