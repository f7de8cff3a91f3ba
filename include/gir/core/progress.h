#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "gir/core/export.h"

namespace gir {

/// The progress of a long operation. `total` is 0 where it is not known.
struct GIR_API Progress {
  std::string_view what;  ///< "cora/ind.cora.x", "train", ...
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string_view unit = {};  ///< what is counted ("layers"); bytes where it is empty
};

/// Called regularly during long operations, always from the same thread (the library itself never prints). To stop the
/// operation, throw Interrupted from it.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace gir
