#pragma once

#include <cstdint>

#include "gir/core/export.h"

namespace gir {

/// From now on large tensors of this process live in huge pages, and what they leave behind is kept for the next ones:
/// every epoch asks for the same sizes, and having the system zero them anew takes longer than filling them. What is
/// kept never makes the process larger than its tensors once were at the same time. For programs, before the first
/// tensor; a guest in somebody else's process leaves its memory alone.
GIR_API void keep_tensor_memory();

/// Bytes of large tensors since keep_tensor_memory(); all 0 without.
struct GIR_API TensorMemory {
  std::int64_t in_use = 0;
  std::int64_t most_in_use = 0;
  std::int64_t kept = 0;  ///< of no tensor at the moment
};
GIR_API TensorMemory tensor_memory();

}  // namespace gir
