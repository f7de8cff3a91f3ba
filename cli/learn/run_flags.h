#pragma once

#include <string>
#include <vector>

#include "gir/cli/session.h"
#include "gir/data/dataset.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_config.h"

namespace gir::cli {

/// The flags that say what a run is: one for every setting, a recipe and a configuration file.
struct RunFlags {
  std::string recipe = "paper";
  std::string config_file;
  SettingValues flags;

  /// Configuration file, then flags: what the user set. Where the file is of a run of another model than the wanted
  /// ones (those of a grid, or the flag's), what belongs to one of the models is left out of it.
  SettingValues given(std::vector<std::string> models) const;
};

/// Which settings a command takes.
enum class RunScope {
  kOneRun,   ///< all
  kManyRuns  ///< all but checkpoints and what the command varies itself: graph, model, seed and split
};

void add_run_flags(CLI::App& command, RunFlags& flags, RunScope scope);

/// The flags for where a run was trained (Context::mark()), which its configuration does not hold: " --device cuda
/// --precision fp32"; nothing for the CPU.
std::string device_flags(std::string_view mark);

/// "layers 3" and so on, one for each setting.
std::vector<std::string> in_words(const SettingValues& values);

/// All metrics of a run, validation beside test.
Table metrics_table(const RunResult& result);

/// Live progress of one training: epoch, loss, validation figure, speed, time left.
Trainer::Observer training_progress(const Session& session);

}  // namespace gir::cli
