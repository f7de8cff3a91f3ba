#pragma once

#include "candidates.h"
#include "gir/runs/tune.h"
#include "tune_trainings.h"

namespace gir {

/// What the trainings of a search say about its trials. Data set, recipe and interruption are left to the caller.
TuneOutcome outcome_of(const TrialTrainings& trainings, const TuneComparison& comparison, Candidates& candidates);

}  // namespace gir
