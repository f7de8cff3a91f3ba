#include "gir/runs/grid_forecast.h"

namespace gir {

void GridForecast::learn(const std::string& dataset, const std::string& model, double seconds) {
  if (const auto found = waiting_.find({dataset, model}); found != waiting_.end() && found->second > 0) {
    --found->second;
  }
  cells_[{dataset, model}].add(seconds);
  datasets_[dataset].add(seconds);
  models_[model].add(seconds);
  all_.add(seconds);
}

double GridForecast::estimate(const Cell& cell) const {
  if (const auto found = cells_.find(cell); found != cells_.end()) return found->second.value();
  const auto dataset = datasets_.find(cell.first);
  const auto model = models_.find(cell.second);
  double seconds = all_.value();
  if (seconds <= 0) return 0;
  if (dataset != datasets_.end()) seconds *= dataset->second.value() / all_.value();
  if (model != models_.end()) seconds *= model->second.value() / all_.value();
  return seconds;
}

double GridForecast::seconds_left() const {
  if (all_.count == 0) return -1;
  double seconds = 0;
  for (const auto& [cell, runs] : waiting_) {
    if (runs > 0) seconds += static_cast<double>(runs) * estimate(cell);
  }
  return seconds;
}

}  // namespace gir
