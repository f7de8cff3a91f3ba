#pragma once

#include <string>
#include <vector>

#include "gir/cli/session.h"
#include "gir/data/dataset.h"
#include "gir/runs/experiment.h"
#include "gir/runs/run_config.h"

namespace gir::cli {

/// The flags that specify a run: one per setting, a recipe and a configuration file.
struct RunFlags {
  std::string recipe = {};  ///< empty: default_recipe() of the data set
  std::string config_file;
  SettingValues flags;

  /// The settings of the user: those of the configuration file, overridden by flags. If the file belongs to a run of
  /// another model than the wanted ones (`models`, or that of the flag), the settings that belong to any of these
  /// models are omitted.
  SettingValues given(std::vector<std::string> models) const;
};

/// The settings that a command accepts.
enum class RunScope {
  kOneRun,    ///< all
  kManyRuns,  ///< all except checkpoint-every and those that the command varies itself: graph, model, seed and split
  kSearch     ///< all except checkpoint-every
};

void add_run_flags(CLI::App& command, RunFlags& flags, RunScope scope);

/// The main settings of an experiment that were not given but chosen, as flags.
std::string chosen_settings(const Experiment& experiment, const SettingValues& given);

/// What there is to say about what a recipe chose for a graph; empty if that is nothing.
std::string recipe_note(std::string_view recipe, const Graph& graph, const SettingValues& given);

/// The flags for the device of a run (Context::mark()), which its configuration does not contain: " --device cuda
/// --precision fp32"; empty for the CPU.
std::string device_flags(std::string_view mark);

/// Settings as "layers 3", one text per setting.
std::vector<std::string> in_words(const SettingValues& values);

/// "0.8100"; "-" for a metric that is not defined.
std::string metric_text(double value);

/// All metrics of a run, on the validation and on the test set.
Table metrics_table(const RunResult& result);

/// Which metrics of a run are means over fewer than all `classes`, or undefined: at most one line per set.
std::vector<std::string> class_mean_notes(const RunResult& result, std::int64_t classes);

/// Shows the steps of ExperimentOptions::progress where they take long. Until the training polls for it, Ctrl-C ends
/// the program at once: there is nothing to save.
ProgressCallback preparation_progress(const Session& session);

/// Live progress of a training: epoch, loss, validation metric, speed, remaining time.
Trainer::Observer training_progress(const Session& session);

}  // namespace gir::cli
