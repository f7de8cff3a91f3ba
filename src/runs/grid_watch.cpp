#include "grid_watch.h"

#include <algorithm>

#include "gir/core/parallel.h"

namespace gir {
namespace {

/// Trainings one after the other that a run consists of, except for experts that are trained already.
std::int64_t num_stages(const RunConfig& config) {
  const auto experts = config.fusion.training == ExpertTraining::kJoint ? 0 : std::ssize(config.fusion.experts);
  return experts + 1 + (config.refit ? 1 : 0);
}

}  // namespace

GridWatch::GridWatch(const GridObserver& observer, GridForecast forecast, std::int64_t found, std::int64_t total)
    : threads_(max_threads()),
      watch_(observer, {.done = found, .total = total, .found = found}),
      forecast_(std::move(forecast)) {}

void GridWatch::epoch_ended(std::int64_t number, const GridRun& run, const EpochReport& epoch) {
  watch_.report([&](GridProgress& progress) {
    progress.finished = nullptr;
    learn_pace(number, run, epoch, progress);
  });
}

void GridWatch::learn_pace(std::int64_t number, const GridRun& run, const EpochReport& epoch, GridProgress& progress) {
  const auto now = Clock::now();
  const auto [found, is_first] = paces_.try_emplace(number);
  Pace& pace = found->second;
  if (!is_first && pace.stage_name != epoch.stage) ++pace.stage;
  pace.stage_name = epoch.stage;
  const double of_stage = static_cast<double>(epoch.epoch) / static_cast<double>(epoch.epochs);
  const double share = (static_cast<double>(pace.stage) + of_stage) / static_cast<double>(num_stages(run.config));
  const bool had_rate = pace.has_rate;
  if (is_first) {
    pace.first_share = share;
    pace.first_epoch_at = now;
  } else if (share > pace.first_share) {
    // From the second epoch on: the first one begins with preparations.
    const double seconds = std::chrono::duration<double>(now - pace.first_epoch_at).count();
    forecast_.advance(number, run.dataset->name, run.model, share, seconds / (share - pace.first_share));
    pace.has_rate = true;
  }
  constexpr auto kPause = std::chrono::milliseconds(100);  // between forecasts, which take longer than short epochs
  if (pace.has_rate != had_rate || now - forecast_at_ >= kPause) update_forecast(progress);
}

void GridWatch::prepares() {
  if (watch_.stopped()) throw Interrupted();
  constexpr std::int64_t kPause = 1000;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_at_).count();
  std::int64_t before = reported_at_;
  if (now - before < kPause || !reported_at_.compare_exchange_strong(before, now)) return;
  watch_.report([](GridProgress& progress) { progress.finished = nullptr; });
}

void GridWatch::run_ended(std::int64_t number, const GridResult& result) {
  watch_.report([&](GridProgress& progress) {
    ++progress.done;
    progress.finished = &result;
    forecast_.end(number);
    forecast_.learn(result.dataset, result.model, result.prepare_seconds + result.seconds);
    update_forecast(progress);
  });
}

void GridWatch::run_failed(std::int64_t number, const GridRun& run) {
  watch_.report([&](GridProgress& progress) {
    ++progress.done;
    ++progress.failed;
    progress.finished = nullptr;
    forecast_.end(number);
    forecast_.drop(run.dataset->name, run.model);
    update_forecast(progress);
  });
}

void GridWatch::update_forecast(GridProgress& progress) {
  forecast_at_ = Clock::now();
  const std::int64_t left = progress.total - progress.done;
  const double threads = static_cast<double>(std::clamp<std::int64_t>(left, 1, threads_));
  progress.share = (static_cast<double>(progress.done) + forecast_.running_share()) /
                   static_cast<double>(std::max<std::int64_t>(1, progress.total));
  progress.seconds_left = forecast_.seconds_left() / threads;
  progress.from_epochs = !forecast_.any_finished();
}

}  // namespace gir
