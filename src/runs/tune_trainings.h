#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "gir/runs/tune.h"
#include "gir/runs/tune_schedule.h"

namespace gir {

struct TrialKey {
  std::int64_t trial = 0;
  std::int64_t round = 1;
  std::int64_t repeat = 0;

  auto operator<=>(const TrialKey&) const = default;
};

/// A round and the trials that took part in it.
struct TuneStage {
  TuneRound round;
  std::vector<std::int64_t> members;
};

/// The trials of a round that can be compared: on the same splits, the best first.
struct TuneComparison {
  TuneRound round;
  std::vector<std::int64_t> repeats;
  std::vector<std::int64_t> ranks;
};

/// The finished trainings of a search.
class TrialTrainings {
 public:
  explicit TrialTrainings(const std::vector<TrialTraining>& found);

  void add(const TrialTraining& training);

  bool empty() const { return all_.empty(); }
  bool contains(const TrialKey& key) const { return all_.contains(key); }
  const TrialTraining* find(const TrialKey& key) const;

  /// All of them, by trial, round and repeat.
  const std::map<TrialKey, TrialTraining>& all() const { return all_; }

  /// Whether a training of the trial has failed.
  bool failed(std::int64_t trial) const { return failed_.contains(trial); }

  /// Whether nothing but failures is there.
  bool all_failed() const;

  /// Trials with a training in a round, in ascending order.
  std::vector<std::int64_t> trials_in(std::int64_t round) const;

  /// The challengers among `members` that have not failed, by their mean metric in a round, the best first.
  std::vector<std::int64_t> ranked(std::int64_t round, const std::vector<std::int64_t>& members) const;

  /// The last of the rounds in which all of its trials have at least one split in common. Nothing to rank if there is
  /// none.
  TuneComparison compare(const std::vector<TuneStage>& stages) const;

  /// Over all trainings of these trials; zero if there are none. `epochs_of` has the epochs of a complete training of a
  /// trial.
  TuneCost mean_cost(const std::vector<std::int64_t>& trials,
                     const std::function<std::int64_t(std::int64_t)>& epochs_of) const;

  /// Seconds since the search began, at the end of the last training.
  double elapsed() const { return elapsed_; }

 private:
  double mean(std::int64_t trial, std::int64_t round, const std::vector<std::int64_t>& repeats) const;
  std::vector<std::int64_t> repeats_of(std::int64_t trial, std::int64_t round) const;

  std::map<TrialKey, TrialTraining> all_;
  std::set<std::int64_t> failed_;
  double elapsed_ = 0;
};

}  // namespace gir
