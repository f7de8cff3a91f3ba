#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "gir/core/export.h"

namespace gir {

/// Threads that a parallel loop of the calling thread uses: what the innermost ThreadScope says, at most what the
/// ThreadLimits say; the number of hardware threads outside of any scope.
GIR_API int max_threads();

/// Parallel loops that the calling thread starts use this many threads until the end of the scope. Other threads are
/// not affected, so that pieces of work with different numbers of threads can run in one process.
class GIR_API ThreadScope {
 public:
  /// 0 leaves the number as it is.
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Limits parallel loops that the current thread starts to `limit` threads until the end of the scope: for work so
/// small that waking other threads costs more than it saves.
class GIR_API ThreadLimit {
 public:
  explicit ThreadLimit(int limit);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_;
};

/// Calls `body(block)` once for every block in [0, blocks), on any thread and in any order. When bodies throw, the
/// exception of the lowest such block is rethrown: the same one on any number of threads. A loop inside another
/// parallel loop runs serially.
GIR_API void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body);

/// Number of blocks of `grain` items that cover `size` items. Does not depend on the number of threads, so that partial
/// results per block, combined in block order, give the same bits on any number of threads.
inline std::int64_t num_blocks(std::int64_t size, std::int64_t grain) { return (size + grain - 1) / grain; }

/// Calls `body(begin, end)` for consecutive ranges of at most `grain` items that cover [0, size).
template <typename Body>
void parallel_for(std::int64_t size, std::int64_t grain, const Body& body) {
  parallel_blocks(num_blocks(size, grain),
                  [&](std::int64_t block) { body(block * grain, std::min(size, (block + 1) * grain)); });
}

}  // namespace gir
