#pragma once

#include "gir/learn/trainer.h"
#include "gir/runs/tune.h"

namespace gir {

/// Trains a configuration once, evaluates it on the validation set, and adds the result, or the reason of a failure, to
/// `training`. The test set is never evaluated. False if the observer has interrupted the training.
bool train_trial(const Dataset& dataset, const RunConfig& config, const Context& context,
                 const Trainer::Observer& observer, TrialTraining& training);

}  // namespace gir
