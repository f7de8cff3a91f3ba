#include "gir/runs/tune.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>

#include "candidates.h"
#include "gir/core/error.h"
#include "gir/core/parallel.h"
#include "gir/runs/tune_schedule.h"
#include "pair_splits.h"
#include "progress_watch.h"
#include "train_trial.h"
#include "trial_log.h"
#include "tune_outcome.h"
#include "tune_request.h"
#include "tune_trainings.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMaxTrials = 81;  ///< with a budget alone; more would only select for luck
constexpr double kSafety = 0.9;          ///< share of the remaining time that a schedule may take

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::int64_t epochs_of(const RunConfig& config, double share) {
  const std::int64_t all = config.training.epochs;
  const auto part = static_cast<std::int64_t>(std::ceil(static_cast<double>(all) * share - 1e-9));
  return std::max(part, std::min(all, config.training.evaluate_every));
}

class Search {
 public:
  Search(const Dataset& dataset, const TuneOptions& options, const fs::path& folder, const TuneObserver& observer)
      : dataset_(dataset),
        options_(options),
        candidates_(dataset, options.recipe, options.given, options.space),
        folder_(claim_tune_folder(folder, options, candidates_.default_candidate().config, dataset)),
        log_(folder_),
        trainings_(log_.found()),
        watch_(observer, {.seconds = trainings_.elapsed()}),
        start_(Clock::now() -
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(trainings_.elapsed()))) {}

  /// Until the last round or the budget ends, or the observer throws Interrupted.
  TuneOutcome run();

 private:
  void search();
  TuneOutcome outcome(bool interrupted);
  void first_round_within_budget();
  bool may_start(std::int64_t trial);
  void halve(std::int64_t next_round);
  void run_round(const TuneRound& round);
  std::vector<std::int64_t> members_of(const TuneRound& round) const;
  std::vector<TrialKey> missing(const TuneRound& round) const;
  TuneOutlook outlook(std::int64_t next_round);
  void train_pilot();
  void train(const TrialKey& key);
  bool run_training(const TrialKey& key, TrialTraining& training);
  auto epochs_of_trial() {
    return [this](std::int64_t trial) { return candidates_.at(trial)->config.training.epochs; };
  }
  void begin_progress(const TuneRound& round, std::int64_t total, std::int64_t done);
  std::int64_t max_trials() const { return options_.trials > 0 ? options_.trials : kMaxTrials; }
  double seconds() const { return seconds_since(start_); }
  bool out_of_time() const { return options_.budget > 0 && seconds() >= options_.budget; }

  const Dataset& dataset_;
  const TuneOptions& options_;
  Candidates candidates_;
  fs::path folder_;
  TrialLog log_;
  TrialTrainings trainings_;
  ProgressWatch<TuneProgress> watch_;
  Clock::time_point start_;           ///< as if all calls had been one
  std::mutex mutex_;                  ///< guards candidates, log and trainings while trials are trained
  std::vector<std::int64_t> ranked_;  ///< challengers that may take part in the next round, the best first
  std::vector<TuneStage> stages_;     ///< rounds so far
  std::int64_t started_ = 0;          ///< trials of the first round
  bool first_round_closed_ = false;
};

void Search::begin_progress(const TuneRound& round, std::int64_t total, std::int64_t done) {
  watch_.report([&](TuneProgress& progress) {
    progress.round = round.number;
    progress.done = done;
    progress.total = total;
    progress.best = -1;
    progress.best_changes.clear();
    progress.seconds = seconds();
  });
}

/// Trains candidates for as long as the rounds after this one still fit into the budget.
void Search::first_round_within_budget() {
  const TuneRound first{.number = 1, .share = share_of(1)};
  begin_progress(first, 0, 0);
  started_ = std::ssize(trainings_.trials_in(1));
  parallel_blocks(max_trials(), [&](std::int64_t trial) {
    const TrialKey key{.trial = trial, .round = 1, .repeat = 0};
    if (!may_start(trial)) return;
    train(key);
    if (trial == 0) train_pilot();
  });
  stages_.push_back({first, trainings_.trials_in(1)});
  ranked_ = trainings_.ranked(1, stages_.back().members);
}

/// A training of the first round that an earlier call has finished costs nothing.
bool Search::may_start(std::int64_t trial) {
  const std::lock_guard lock(mutex_);
  if (trainings_.contains({.trial = trial, .round = 1, .repeat = 0})) return candidates_.at(trial) != nullptr;
  if (first_round_closed_ || out_of_time()) return false;
  const bool fits = trial == 0 || trainings_.empty() || [&] {
    const std::vector<TuneRound> rounds = fitting_rounds(outlook(1));
    return !rounds.empty() && rounds.front().challengers >= trial;
  }();
  first_round_closed_ = !fits || candidates_.at(trial) == nullptr;
  if (!first_round_closed_) ++started_;
  return !first_round_closed_;
}

/// With early stopping, how long a complete training takes is only known once there has been one. The default's first
/// training of the last round is needed anyway, and so comes early if the budget has room for it.
void Search::train_pilot() {
  if (candidates_.default_candidate().config.training.patience == 0) return;
  const double expected = [&] {
    const std::lock_guard lock(mutex_);
    return trainings_.mean_cost({0}, epochs_of_trial()).seconds(1);
  }();
  if (expected <= kSafety / 3 * (options_.budget - seconds())) {
    train({.trial = 0, .round = kTuneRounds, .repeat = tune_rounds(0, options_.splits).front().first_repeat});
  }
}

void Search::halve(std::int64_t next_round) {
  if (options_.budget == 0) {
    static_cast<void>(candidates_.at(max_trials() - 1));
    for (std::int64_t trial = 1; trial < candidates_.size() && trial < max_trials(); ++trial) ranked_.push_back(trial);
  }
  const std::vector<TuneRound> planned = tune_rounds(std::ssize(ranked_), options_.splits);
  while (next_round <= kTuneRounds && !out_of_time()) {
    std::vector<TuneRound> rounds = options_.budget > 0 ? fitting_rounds(outlook(next_round)) : planned;
    std::erase_if(rounds, [&](const TuneRound& round) { return round.number < next_round; });
    if (rounds.empty()) return;
    run_round(rounds.front());
    next_round = rounds.front().number + 1;
  }
}

void Search::run_round(const TuneRound& round) {
  stages_.push_back({round, members_of(round)});
  const std::vector<TrialKey> jobs = missing(round);
  const auto all = std::ssize(stages_.back().members) * round.repeats;
  begin_progress(round, all, all - std::ssize(jobs));
  parallel_blocks(std::ssize(jobs), [&](std::int64_t i) { train(jobs[static_cast<std::size_t>(i)]); });
  ranked_ = trainings_.ranked(round.number, stages_.back().members);
}

/// The default, unless it has failed, and the best challengers.
std::vector<std::int64_t> Search::members_of(const TuneRound& round) const {
  std::vector<std::int64_t> members;
  if (!trainings_.failed(0)) members.push_back(0);
  const auto count = std::min<std::int64_t>(round.challengers, std::ssize(ranked_));
  members.insert(members.end(), ranked_.begin(), ranked_.begin() + count);
  return members;
}

/// Split by split, so that a round that is cut off at the deadline has compared all trials on the first splits.
std::vector<TrialKey> Search::missing(const TuneRound& round) const {
  std::vector<TrialKey> keys;
  for (std::int64_t repeat = round.first_repeat; repeat < round.first_repeat + round.repeats; ++repeat) {
    for (const std::int64_t trial : members_of(round)) {
      const TrialKey key{.trial = trial, .round = round.number, .repeat = repeat};
      if (!trainings_.contains(key)) keys.push_back(key);
    }
  }
  return keys;
}

TuneOutlook Search::outlook(std::int64_t next_round) {
  // The trials of later rounds resemble the default and the better challengers, which may be slower than others.
  const std::vector<std::int64_t> tried = trainings_.trials_in(1);
  const std::vector<std::int64_t> ranked = next_round == 1 ? trainings_.ranked(1, tried) : ranked_;
  std::vector<std::int64_t> better = {0};
  better.insert(better.end(), ranked.begin(), ranked.begin() + (std::ssize(ranked) + 2) / 3);
  TuneOutlook outlook{.next_round = next_round,
                      .max_challengers = next_round == 1 ? max_trials() - 1 : std::ssize(ranked_),
                      .splits = options_.splits,
                      .first_cost = trainings_.mean_cost(tried, epochs_of_trial()),
                      .cost = trainings_.mean_cost(better, epochs_of_trial()),
                      .threads = max_threads(),
                      .seconds_left = kSafety * (options_.budget - seconds())};
  outlook.missing = [this](const TuneRound& round) {
    if (round.number == 1) return std::max<std::int64_t>(round.challengers + 1 - started_, 0);
    return static_cast<std::int64_t>(missing(round).size());
  };
  return outlook;
}

void Search::train(const TrialKey& key) {
  if (watch_.stopped()) throw Interrupted();
  if (out_of_time() || [&] {
        const std::lock_guard lock(mutex_);
        return trainings_.contains(key);
      }()) {
    return;
  }
  TrialTraining training{.trial = key.trial, .round = key.round, .repeat = key.repeat};
  if (!run_training(key, training)) return;
  {
    const std::lock_guard lock(mutex_);
    training.settings = candidates_.at(key.trial)->changes;
    training.elapsed = seconds();
    log_.add(training);
    trainings_.add(training);
  }
  watch_.report([&](TuneProgress& progress) {
    progress.seconds = seconds();
    if (key.round != progress.round) return;  // the pilot
    ++progress.done;
    progress.trials = std::max(progress.trials, key.trial + 1);
    if (training.valid.value_or(-1) <= progress.best) return;
    progress.best = *training.valid;
    progress.best_changes = training.settings;
  });
}

/// False at the deadline. Throws Interrupted when the observer does.
bool Search::run_training(const TrialKey& key, TrialTraining& training) {
  RunConfig config = [&] {
    const std::lock_guard lock(mutex_);
    return candidates_.at(key.trial)->config;
  }();
  config.training.epochs = epochs_of(config, share_of(key.round));
  config.seed += static_cast<std::uint64_t>(key.repeat);
  const std::uint64_t splits = num_splits(dataset_, config).value_or(std::numeric_limits<std::uint64_t>::max());
  const bool splits_vary = !options_.given.contains("split") && config.data.split_from.empty() && splits > 1;
  if (splits_vary) config.split = static_cast<std::uint64_t>(key.repeat) % splits;
  const auto observer = [&](const EpochReport&) {
    if (out_of_time()) throw Interrupted();
    watch_.report([&](TuneProgress& progress) { progress.seconds = seconds(); });
  };
  const bool finished = train_trial(dataset_, config, options_.context, observer, training);
  if (!finished && watch_.stopped()) throw Interrupted();
  return finished;
}

TuneOutcome Search::run() {
  if (auto ended = ended_tune(folder_, options_)) {
    stages_ = std::move(*ended);
    return outcome(/*interrupted=*/false);
  }
  try {
    search();
  } catch (const Interrupted&) {
    return outcome(/*interrupted=*/true);
  }
  if (trainings_.all_failed()) {
    const auto& [key, training] = *trainings_.all().begin();
    throw UserError("all {} trials failed, the first one with: {}", std::ssize(trainings_.trials_in(key.round)),
                    training.failure);
  }
  mark_tune_ended(folder_, options_, stages_);
  return outcome(/*interrupted=*/false);
}

void Search::search() {
  if (options_.budget > 0) {
    first_round_within_budget();
    halve(2);
  } else {
    halve(1);
  }
}

TuneOutcome Search::outcome(bool interrupted) {
  // An unfinished first round compares the trials that it has finished.
  std::erase_if(stages_, [](const TuneStage& stage) { return stage.round.number == 1; });
  stages_.insert(stages_.begin(), {{.number = 1, .share = share_of(1)}, trainings_.trials_in(1)});
  TuneOutcome outcome = outcome_of(trainings_, trainings_.compare(stages_), candidates_);
  outcome.dataset = dataset_.name;
  outcome.recipe = options_.recipe.empty() ? default_recipe(dataset_) : options_.recipe;
  outcome.interrupted = interrupted;
  write_best_trial(folder_, options_.given, outcome.best().changes, candidates_.at(outcome.best().number)->config);
  return outcome;
}

}  // namespace

TuneOutcome tune(const Dataset& dataset, const TuneOptions& options, const fs::path& folder,
                 const TuneObserver& observer) {
  check_tune_options(options);
  const ThreadScope threads(options.context.threads);
  return Search(dataset, options, folder, observer).run();
}

}  // namespace gir
