#include "train_trial.h"

#include <c10/util/Exception.h>

#include <chrono>
#include <new>

#include "gir/core/error.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"

namespace gir {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool train(const Dataset& dataset, const RunConfig& config, const Context& context, const Trainer::Observer& observer,
           TrialTraining& training) {
  const auto start = Clock::now();
  const ContextScope scope(context);
  Experiment experiment(dataset, config, context, {.validation_only = true});
  const auto ready = Clock::now();
  const RunResult result = experiment.run(observer);
  if (result.interrupted) return false;
  ensure(result.test.values.empty(), "a search does not evaluate the test set");
  training.setup_seconds = seconds_between(start, ready);
  training.seconds = seconds_between(ready, Clock::now());
  training.epochs = result.epochs;
  training.best_epoch = result.best_epoch;
  training.metric = result.metric;
  if (result.bad_epoch > 0) {
    training.failure = fmt::format("the loss became NaN or infinite in epoch {}", result.bad_epoch);
  } else {
    training.valid = result.valid.main();
  }
  return true;
}

}  // namespace

bool train_trial(const Dataset& dataset, const RunConfig& config, const Context& context,
                 const Trainer::Observer& observer, TrialTraining& training) {
  training.split = config.split;
  training.seed = config.seed;
  try {
    return train(dataset, config, context, observer, training);
  } catch (const Interrupted&) {  // while experts of a fused model are trained
    return false;
  } catch (const UserError& error) {
    training.failure = error.what();
  } catch (const std::bad_alloc&) {
    training.failure = "out of memory";
  } catch (const c10::Error& error) {
    training.failure = first_line(error.what_without_backtrace());
  }
  return true;
}

}  // namespace gir
