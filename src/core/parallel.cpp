#include "gir/core/parallel.h"

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "gir/core/error.h"
#include "thread_pool.h"

namespace gir {
namespace {

thread_local bool inside_parallel_loop = false;
thread_local int scope_threads = 0;  ///< 0: no scope
thread_local int thread_limit = std::numeric_limits<int>::max();

/// Keeps the exception of the lowest block that threw. Blocks above it need not run any more; blocks below it must,
/// because one of them may throw, too.
class FirstFailure {
 public:
  bool precedes(std::int64_t block) const { return block_.load(std::memory_order_relaxed) < block; }

  void record(std::int64_t block) {
    const std::lock_guard lock(mutex_);
    if (block < block_) {
      block_ = block;
      error_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::int64_t> block_{std::numeric_limits<std::int64_t>::max()};
  std::exception_ptr error_;
};

}  // namespace

int max_threads() {
  // Asking the system takes a while, and short loops ask often.
  static const int hardware_threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::min(thread_limit, scope_threads > 0 ? scope_threads : hardware_threads);
}

ThreadScope::ThreadScope(int threads) : before_(scope_threads) {
  ensure(threads >= 0, "a number of threads");
  if (threads > 0) scope_threads = threads;
}

ThreadScope::~ThreadScope() { scope_threads = before_; }

ThreadLimit::ThreadLimit(int limit) : before_(thread_limit) {
  ensure(limit >= 1, "at least one thread is needed");
  thread_limit = std::min(limit, before_);
}

ThreadLimit::~ThreadLimit() { thread_limit = before_; }

void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
  const int threads = static_cast<int>(std::min<std::int64_t>(max_threads(), blocks));
  if (threads <= 1 || inside_parallel_loop) {
    for (std::int64_t block = 0; block < blocks; ++block) body(block);
    return;
  }
  // Threads take the next block when they are done with one: blocks may differ in cost.
  std::atomic<std::int64_t> next{0};
  FirstFailure failure;
  ThreadPool::instance().run(threads, [&] {
    inside_parallel_loop = true;
    for (std::int64_t block = next++; block < blocks && !failure.precedes(block); block = next++) {
      try {
        body(block);
      } catch (...) {
        failure.record(block);
      }
    }
    inside_parallel_loop = false;
  });
  failure.rethrow();
}

}  // namespace gir
