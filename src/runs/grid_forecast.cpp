#include "gir/runs/grid_forecast.h"

#include <algorithm>

namespace gir {

void GridForecast::Times::add(const Cell& cell, double seconds) {
  cells[cell].add(seconds);
  datasets[cell.first].add(seconds);
  models[cell.second].add(seconds);
  all.add(seconds);
}

double GridForecast::Times::estimate(const Cell& cell) const {
  if (const auto found = cells.find(cell); found != cells.end()) return found->second.value();
  const auto dataset = datasets.find(cell.first);
  const auto model = models.find(cell.second);
  double seconds = all.value();
  if (seconds <= 0) return 0;
  if (dataset != datasets.end()) seconds *= dataset->second.value() / all.value();
  if (model != models.end()) seconds *= model->second.value() / all.value();
  return seconds;
}

void GridForecast::drop(const std::string& dataset, const std::string& model) {
  if (const auto found = waiting_.find({dataset, model}); found != waiting_.end() && found->second > 0) {
    --found->second;
  }
}

void GridForecast::learn(const std::string& dataset, const std::string& model, double seconds) {
  drop(dataset, model);
  finished_.add({dataset, model}, seconds);
}

void GridForecast::advance(std::int64_t run, const std::string& dataset, const std::string& model, double share,
                           double seconds) {
  running_.insert_or_assign(run, Running{{dataset, model}, std::clamp(share, 0.0, 1.0), seconds});
}

double GridForecast::seconds_left() const {
  Times times = finished_;
  for (const auto& [run, each] : running_) {
    if (!finished_.cells.contains(each.cell)) times.add(each.cell, each.seconds);
  }
  if (times.all.count == 0) return -1;
  double seconds = 0;
  for (const auto& [cell, runs] : waiting_) {
    if (runs > 0) seconds += static_cast<double>(runs) * times.estimate(cell);
  }
  for (const auto& [run, each] : running_) seconds -= each.share * times.estimate(each.cell);
  return std::max(0.0, seconds);
}

double GridForecast::running_share() const {
  double share = 0;
  for (const auto& [run, each] : running_) share += each.share;
  return share;
}

}  // namespace gir
