#pragma once

#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "support.h"

namespace gir::testing {

/// The observable course of a training.
struct TrainingTrace {
  std::vector<double> losses;
  double valid = 0;
  std::int64_t replayed = 0;  ///< epochs that were replayed; not part of the comparison

  friend bool operator==(const TrainingTrace& a, const TrainingTrace& b) {
    return a.losses == b.losses && a.valid == b.valid;
  }
};

inline Dataset open_known(const char* name) {
  const auto directory = data_directory();
  if (!directory) throw UserError("the real graphs are required [set GIR_DATA]");
  return open_dataset(name, *directory);
}

/// Trains `epochs` epochs.
inline TrainingTrace train(const Context& context, const Dataset& dataset, const std::string& recipe,
                           SettingValues settings, std::int64_t epochs, bool record = true) {
  settings["graph"] = dataset.name;
  settings["epochs"] = std::to_string(epochs);
  settings["evaluate-every"] = std::to_string(epochs);
  RunConfig config = resolve(recipe, settings, dataset);
  config.training.record = record;
  Experiment experiment(dataset, std::move(config), context);
  TrainingTrace trace;
  const RunResult result = experiment.run([&](const EpochReport& report) {
    trace.losses.push_back(report.loss);
    trace.replayed += report.repeated ? 1 : 0;
  });
  trace.valid = result.valid.main();
  return trace;
}

}  // namespace gir::testing
