#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gir {

/// Threads that wait for work. They watch for it briefly and then sleep, and nobody ever waits for a thread that
/// has not begun: on a machine that is busy with other things a loop takes as long as one thread needs, and no
/// longer. (OpenMP's threads wait for each other by spinning; short loops became 20 times slower that way.)
class ThreadPool {
 public:
  static ThreadPool& instance();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls `worker` on this thread and, as far as they come in time, on up to `threads` - 1 others; returns when
  /// all calls have. `worker` must not throw. While a job runs, further callers work alone.
  void run(int threads, const std::function<void()>& worker);

 private:
  ThreadPool() = default;
  void wait_for_work();

  std::mutex one_job_;
  std::mutex mutex_;  ///< of everything below
  std::condition_variable work_came_;
  std::condition_variable work_ended_;
  std::vector<std::thread> threads_;
  const std::function<void()>* worker_ = nullptr;
  int wanted_ = 0;   ///< threads that may still join the job
  int working_ = 0;  ///< threads that have joined and not ended
  bool stopping_ = false;
  std::atomic<std::uint64_t> jobs_{0};  ///< begun so far; read without the lock while spinning
};

}  // namespace gir
