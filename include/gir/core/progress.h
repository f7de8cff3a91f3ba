#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace gir {

/// How far a piece of long work has come. `total` is 0 where the end is not known.
struct Progress {
  std::string_view what;  ///< "cora/ind.cora.x", "train", ...
  std::int64_t done = 0;
  std::int64_t total = 0;
  std::string_view unit = {};  ///< what is counted ("layers"); bytes where it says nothing
};

/// The library never prints: it calls this now and then from one thread. To stop the work, throw
/// Interrupted from it.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace gir
