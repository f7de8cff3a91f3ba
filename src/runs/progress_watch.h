#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "gir/core/error.h"

namespace gir {

/// Reports the progress of jobs on several threads to an observer, one call at a time. Once the observer has thrown
/// Interrupted, every further report does, so that all jobs stop.
template <typename Progress>
class ProgressWatch {
 public:
  using Observer = std::function<void(const Progress&)>;

  /// `observer` may be empty and must outlive the watch.
  ProgressWatch(const Observer& observer, Progress progress) : observer_(observer), progress_(std::move(progress)) {}

  /// Calls `change(progress)` and then the observer.
  template <typename Change>
  void report(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(progress_);
    if (stopped_) throw Interrupted();
    if (!observer_) return;
    try {
      observer_(progress_);
    } catch (const Interrupted&) {
      stopped_ = true;
      throw;
    }
  }

  bool stopped() const { return stopped_; }

 private:
  const Observer& observer_;
  std::mutex mutex_;
  Progress progress_;
  std::atomic<bool> stopped_{false};
};

}  // namespace gir
