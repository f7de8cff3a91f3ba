#pragma once

#include <string>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "support.h"

namespace gir::testing {

/// What a training tells.
struct Story {
  std::vector<double> losses;
  double valid = 0;
  std::int64_t repeated = 0;  ///< epochs that were recorded before; no matter for what happened

  friend bool operator==(const Story& a, const Story& b) { return a.losses == b.losses && a.valid == b.valid; }
};

inline Dataset open_known(const char* name) {
  const auto folder = data_directory();
  if (!folder) throw UserError("the graphs are needed: GIR_DATA");
  return open_dataset(name, *folder);
}

/// Trains `epochs` epochs.
inline Story train(const Context& context, const Dataset& dataset, const std::string& recipe, SettingValues settings,
                   std::int64_t epochs, bool record = true) {
  settings["graph"] = dataset.name;
  settings["epochs"] = std::to_string(epochs);
  settings["evaluate-every"] = std::to_string(epochs);
  RunConfig config = resolve(recipe, settings, dataset);
  config.training.record = record;
  Experiment experiment(dataset, std::move(config), context);
  Story story;
  const RunResult result = experiment.run([&](const EpochReport& report) {
    story.losses.push_back(report.loss);
    story.repeated += report.repeated ? 1 : 0;
  });
  story.valid = result.valid.main();
  return story;
}

}  // namespace gir::testing
