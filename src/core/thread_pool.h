#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gir {

/// Threads that wait for work: they spin briefly, then sleep. The caller never waits for a thread that has not started:
/// on a machine that is busy with other work, a loop takes at most as long as it would take on one thread. (OpenMP's
/// threads wait for each other by spinning, which made short loops 3 to 16 times slower there: docs/architecture.md.)
class ThreadPool {
 public:
  static ThreadPool& instance();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls `worker` on this thread and on up to `threads` - 1 others, those that wake up before the work is done;
  /// returns when all calls have returned. `worker` must not throw, and returns when no work is left that nobody has
  /// taken. Callers that run at the same time have threads of their own: the pool grows to as many as they ask for
  /// together.
  void run(int threads, const std::function<void()>& worker);

 private:
  ThreadPool() = default;
  void wait_for_work();

  /// One call of run(), on the stack of its caller.
  struct Job {
    const std::function<void()>& worker;
    int wanted;       ///< threads that may still join
    int working = 0;  ///< threads that have joined and not returned
    std::condition_variable ended = {};
  };

  /// A job that wants threads; null if there is none.
  Job* open_job() const;

  std::mutex mutex_;  ///< guards everything below
  std::condition_variable job_started_;
  std::vector<std::thread> threads_;
  std::vector<Job*> jobs_;
  int reserved_ = 0;  ///< threads that the running jobs asked for
  bool stopping_ = false;
  std::atomic<std::uint64_t> started_{0};  ///< jobs started so far; read without the lock while spinning
};

}  // namespace gir
