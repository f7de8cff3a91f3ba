#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gir/core/export.h"

namespace gir {

/// Estimates the remaining time of a grid. Runs of one model on one data set take about the same time; without a
/// finished run of theirs the estimate uses running ones, as far as their epochs have come, then other models on the
/// data set and the model on other data sets.
class GIR_API GridForecast {
 public:
  /// Adds a run that is still to be done.
  void expect(const std::string& dataset, const std::string& model) { ++waiting_[{dataset, model}]; }

  /// Records the time of a finished run, and removes it from the runs to be done.
  void learn(const std::string& dataset, const std::string& model, double seconds);

  /// Removes a run that failed from the runs to be done.
  void drop(const std::string& dataset, const std::string& model);

  /// Records how far a running run, with a number of its own, has come: a share of its work, and the time that it will
  /// take altogether.
  void advance(std::int64_t run, const std::string& dataset, const std::string& model, double share, double seconds);

  /// Ends what advance() recorded; called before learn() or drop().
  void end(std::int64_t run) { running_.erase(run); }

  /// Remaining time on one thread; negative before the first estimate.
  double seconds_left() const;

  /// The sum of the shares of the running runs.
  double running_share() const;

  bool any_finished() const { return finished_.all.count > 0; }

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

  /// Times of runs.
  struct Times {
    std::map<Cell, Mean> cells;
    std::map<std::string, Mean> datasets;
    std::map<std::string, Mean> models;
    Mean all;

    void add(const Cell& cell, double seconds);
    double estimate(const Cell& cell) const;
  };

  struct Running {
    Cell cell;
    double share;
    double seconds;
  };

  std::map<Cell, std::int64_t> waiting_;
  std::map<std::int64_t, Running> running_;
  Times finished_;
};

}  // namespace gir
