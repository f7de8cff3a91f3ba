#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "gir/core/export.h"

namespace gir {

/// How long the rest of a grid will take, by how long its finished runs took. Runs of one model on one data set take
/// about as long as each other; where none has finished, other models on the data set and the model on other data
/// sets are asked.
class GIR_API GridForecast {
 public:
  /// A run that is still to be done.
  void expect(const std::string& dataset, const std::string& model) { ++waiting_[{dataset, model}]; }

  /// A run that took so long. One that was expected is so no longer.
  void learn(const std::string& dataset, const std::string& model, double seconds);

  /// Of one thread, for all runs still expected; negative where nothing has been learnt.
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

  double guess(const Cell& cell) const;

  std::map<Cell, std::int64_t> waiting_;
  std::map<Cell, Mean> cells_;
  std::map<std::string, Mean> datasets_;
  std::map<std::string, Mean> models_;
  Mean all_;
};

}  // namespace gir
