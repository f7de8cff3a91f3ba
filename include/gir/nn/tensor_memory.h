#pragma once

#include <cstdint>

#include "gir/core/export.h"

namespace gir {

/// Installs a caching allocator for large CPU tensors of this process, in huge pages: every epoch allocates the same
/// sizes, and having the kernel map and zero the pages again takes longer than filling them. Tensors and cache together
/// never exceed the peak of the memory of tensors. To be called by programs before the first tensor; a library inside a
/// host process should not replace the host's allocator.
GIR_API void cache_tensor_memory();

/// Bytes of large tensors since cache_tensor_memory(); all 0 without it.
struct GIR_API TensorMemory {
  std::int64_t in_use = 0;
  std::int64_t peak = 0;    ///< of in_use
  std::int64_t cached = 0;  ///< freed by tensors and not returned to the system
};
GIR_API TensorMemory tensor_memory();

}  // namespace gir
