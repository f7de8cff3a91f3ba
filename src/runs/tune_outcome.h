#pragma once

#include <filesystem>

#include "candidates.h"
#include "gir/runs/tune.h"
#include "tune_trainings.h"

namespace gir {

/// What the trainings of a search say about its trials. Data set, recipe and interruption are left to the caller.
TuneOutcome outcome_of(const TrialTrainings& trainings, const TuneComparison& comparison, Candidates& candidates);

/// Writes best.json: the settings that were given and those of the best trial, with the values of its configuration, so
/// that the file says what is special about it.
void write_best_trial(const std::filesystem::path& folder, const SettingValues& given, const SettingValues& changes,
                      const RunConfig& config);

}  // namespace gir
