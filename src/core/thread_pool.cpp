#include "thread_pool.h"

#include <algorithm>
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
    ++started_;
  }
  job_started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(int threads, const std::function<void()>& worker) {
  if (threads <= 1) {
    worker();
    return;
  }
  Job job{.worker = worker, .wanted = threads - 1};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    reserved_ += threads - 1;
    while (std::ssize(threads_) < reserved_) threads_.emplace_back([this] { wait_for_work(); });
    ++started_;
  }
  job_started_.notify_all();
  worker();
  std::unique_lock lock(mutex_);
  job.wanted = 0;  // our own call has returned, so all work is taken: threads that have not started need not
  std::erase(jobs_, &job);
  reserved_ -= threads - 1;
  job.ended.wait(lock, [&] { return job.working == 0; });
}

ThreadPool::Job* ThreadPool::open_job() const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [](const Job* job) { return job->wanted > 0; });
  return found == jobs_.end() ? nullptr : *found;
}

void ThreadPool::wait_for_work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    Job* job = open_job();
    if (job == nullptr) {
      const std::uint64_t seen = started_;
      lock.unlock();
      spin_until([&] { return started_.load(std::memory_order_relaxed) != seen; });
      lock.lock();
      job_started_.wait(lock, [&] { return started_ != seen; });
      continue;
    }
    --job->wanted;
    ++job->working;
    lock.unlock();
    job->worker();
    lock.lock();
    job->wanted = 0;  // all its work is taken
    if (--job->working == 0) job->ended.notify_one();
  }
}

}  // namespace gir
