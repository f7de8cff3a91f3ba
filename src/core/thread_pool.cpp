#include "thread_pool.h"

#include <chrono>

namespace gir {
namespace {

/// How long a thread spins before it sleeps: a little longer than it takes to wake one up.
constexpr std::chrono::microseconds kSpinTime{20};

template <typename Condition>
void spin_until(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  while (!condition() && std::chrono::steady_clock::now() < end) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
}

}  // namespace

ThreadPool& ThreadPool::instance() {
  static ThreadPool pool;
  return pool;
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++jobs_;
  }
  job_started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(int threads, const std::function<void()>& worker) {
  // Two jobs at once would compete for the same threads; the second caller works alone instead of waiting.
  const std::unique_lock only_job(one_job_, std::try_to_lock);
  if (!only_job || threads <= 1) {
    worker();
    return;
  }
  while (static_cast<int>(threads_.size()) < threads - 1) threads_.emplace_back([this] { wait_for_work(); });
  {
    const std::lock_guard lock(mutex_);
    worker_ = &worker;
    wanted_ = threads - 1;
    ++jobs_;
  }
  job_started_.notify_all();
  worker();
  std::unique_lock lock(mutex_);
  wanted_ = 0;  // our own call has returned, so all work is taken: threads that have not started need not
  job_ended_.wait(lock, [this] { return working_ == 0; });
}

void ThreadPool::wait_for_work() {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    if (jobs_ == seen) {
      lock.unlock();
      spin_until([&] { return jobs_.load(std::memory_order_relaxed) != seen; });
      lock.lock();
      job_started_.wait(lock, [&] { return jobs_ != seen; });
    }
    seen = jobs_;
    if (stopping_) return;
    if (wanted_ == 0) continue;
    --wanted_;
    ++working_;
    lock.unlock();
    (*worker_)();
    lock.lock();
    if (--working_ == 0) job_ended_.notify_one();
  }
}

}  // namespace gir
