#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gir/core/export.h"

namespace gir {

/// Estimates the remaining time of a grid from its finished runs. Runs of one model on one data set take about the same
/// time; without such a run the estimate uses other models on the data set and the model on other data sets.
class GIR_API GridForecast {
 public:
  /// Adds a run that is still to be done.
  void expect(const std::string& dataset, const std::string& model) { ++waiting_[{dataset, model}]; }

  /// Records the time of a finished run, and removes it from the runs to be done.
  void learn(const std::string& dataset, const std::string& model, double seconds);

  /// Remaining time on one thread; negative before the first finished run.
  double seconds_left() const;

 private:
  using Cell = std::pair<std::string, std::string>;  ///< data set and model

  struct Mean {
    double sum = 0;
    std::int64_t count = 0;

    void add(double value) {
      sum += value;
      ++count;
    }
    double value() const { return sum / static_cast<double>(count); }
  };

  double estimate(const Cell& cell) const;

  std::map<Cell, std::int64_t> waiting_;
  std::map<Cell, Mean> cells_;
  std::map<std::string, Mean> datasets_;
  std::map<std::string, Mean> models_;
  Mean all_;
};

}  // namespace gir
