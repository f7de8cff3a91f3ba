#include "tune_outcome.h"

#include <algorithm>
#include <set>

#include "gir/core/file.h"

namespace gir {
namespace {

bool contains(const std::vector<std::int64_t>& numbers, std::int64_t number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// A compared trial has its metrics in the round that decides, on the splits that all have finished; another one those
/// of its last round.
TuneTrial trial_of(std::int64_t number, const TrialTrainings& trainings, const TuneComparison& comparison,
                   const SettingValues& changes) {
  TuneTrial trial{.number = number, .changes = changes};
  const bool compared = contains(comparison.ranks, number);
  for (const auto& [key, training] : trainings.all()) {
    if (key.trial != number) continue;
    trial.seconds += training.setup_seconds + training.seconds;
    if (trial.failure.empty()) trial.failure = training.failure;
    if (!training.valid || (compared && key.round > comparison.round.number)) continue;
    if (key.round > trial.round) trial.valid.clear();
    trial.round = key.round;
    if (!compared || contains(comparison.repeats, key.repeat)) trial.valid.push_back(*training.valid);
  }
  return trial;
}

}  // namespace

const TuneTrial* TuneOutcome::compared_default() const { return contains(ranks, 0) ? &trials.front() : nullptr; }

TuneOutcome outcome_of(const TrialTrainings& trainings, const TuneComparison& comparison, Candidates& candidates) {
  const RunConfig& config = candidates.default_candidate().config;
  TuneOutcome outcome{.task = parse_task(config.task),
                      .default_model = config.model,
                      .ranks = comparison.ranks,
                      .seconds = trainings.elapsed()};
  std::int64_t trials = 1;
  for (const auto& [key, training] : trainings.all()) {
    trials = std::max(trials, key.trial + 1);
    if (!training.metric.empty()) outcome.metric = training.metric;
  }
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    outcome.trials.push_back(trial_of(trial, trainings, comparison, candidates.at(trial)->changes));
  }
  if (!comparison.ranks.empty()) {
    outcome.round = comparison.round.number;
    outcome.share = comparison.round.share;
    outcome.complete = outcome.round == kTuneRounds && std::ssize(comparison.repeats) == comparison.round.repeats;
  }
  for (const std::int64_t repeat : comparison.repeats) {
    outcome.splits.push_back(
        trainings.find({.trial = outcome.ranks.front(), .round = outcome.round, .repeat = repeat})->split);
  }
  outcome.repeated = candidates.repeated();
  outcome.invalid = candidates.invalid();
  outcome.exhausted = candidates.exhausted();
  return outcome;
}

void write_best_trial(const std::filesystem::path& folder, const SettingValues& given, const SettingValues& changes,
                      const RunConfig& config) {
  std::set<std::string> names;
  for (const SettingValues* values : {&given, &changes}) {
    for (const auto& [name, value] : *values) names.insert(name);
  }
  if (!config.fusion.runs.empty()) names.insert("expert-runs");
  write_file(folder / "best.json", settings_text(config, names));
}

}  // namespace gir
