#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "gir/learn/trainer.h"
#include "gir/runs/grid_forecast.h"
#include "grid_plan.h"
#include "progress_watch.h"

namespace gir {

/// Tracks the progress of a grid and reports it to the observer. All functions can be called from any thread.
class GridWatch {
 public:
  /// `found`: runs of earlier calls, of `total` runs.
  GridWatch(const GridObserver& observer, GridForecast forecast, std::int64_t found, std::int64_t total);

  /// An epoch of a run has ended; `number` identifies the run. Throws Interrupted once the observer has.
  void epoch_ended(std::int64_t number, const GridRun& run, const EpochReport& epoch);

  /// A run is being prepared: reported once a second. Throws Interrupted once the observer has.
  void prepares();

  void run_ended(std::int64_t number, const GridResult& result);
  void run_failed(std::int64_t number, const GridRun& run);

  bool stopped() const { return watch_.stopped(); }

 private:
  using Clock = std::chrono::steady_clock;

  /// How far a run has come: its stages (the experts of a fused model, then the model) count the same.
  struct Pace {
    std::int64_t stage = 0;
    std::string stage_name = {};
    double first_share = 0;  ///< at the first epoch
    Clock::time_point first_epoch_at = {};
    bool has_rate = false;
  };

  void learn_pace(std::int64_t number, const GridRun& run, const EpochReport& epoch, GridProgress& progress);
  void update_forecast(GridProgress& progress);

  int threads_;  ///< training threads
  ProgressWatch<GridProgress> watch_;
  const Clock::time_point started_at_ = Clock::now();
  std::atomic<std::int64_t> reported_at_ = 0;  ///< by prepares(), in milliseconds since then

  // Used while `watch_` reports, by one thread at a time.
  GridForecast forecast_;
  std::map<std::int64_t, Pace> paces_;
  Clock::time_point forecast_at_ = {};
};

}  // namespace gir
