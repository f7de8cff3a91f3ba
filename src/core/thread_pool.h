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
  /// returns when all calls have returned. `worker` must not throw. While a job runs, other callers get no extra
  /// threads.
  void run(int threads, const std::function<void()>& worker);

 private:
  ThreadPool() = default;
  void wait_for_work();

  std::mutex one_job_;  ///< held by the caller whose job runs
  std::mutex mutex_;    ///< guards everything below
  std::condition_variable job_started_;
  std::condition_variable job_ended_;
  std::vector<std::thread> threads_;
  const std::function<void()>* worker_ = nullptr;
  int wanted_ = 0;   ///< threads that may still join the job
  int working_ = 0;  ///< threads that have joined the job and not returned from it
  bool stopping_ = false;
  std::atomic<std::uint64_t> jobs_{0};  ///< jobs started so far; read without the lock while spinning
};

}  // namespace gir
