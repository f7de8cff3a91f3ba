#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/runs/run_config.h"
#include "gir/runs/search_space.h"
#include "gir/runs/statistics.h"

namespace gir {

/// A search for settings by successive halving, on validation data only.
struct GIR_API TuneOptions {
  std::string recipe = {};   ///< empty: default_recipe() of the data set
  SettingValues given = {};  ///< of all trials; the default is what resolve() makes of them
  SearchSpace space = {};    ///< overrides `given`
  std::int64_t trials = 0;   ///< at most, the default included; 0: as many as fit into the budget
  double budget = 0;         ///< seconds, including those of earlier calls for the same folder; 0: no limit
  std::int64_t splits = 3;   ///< that the last round compares on
  Context context = {};
};

/// One training of a trial: a line of trials.jsonl.
struct GIR_API TrialTraining {
  std::int64_t trial = 0;  ///< 0: the default
  std::int64_t round = 1;
  std::int64_t repeat = 0;
  std::uint64_t split = 0;
  std::uint64_t seed = 0;
  SettingValues settings = {};  ///< that differ from the default
  std::int64_t epochs = 0;      ///< completed
  std::int64_t best_epoch = 0;
  std::string metric = {};
  std::optional<double> valid = {};  ///< the metric on the validation set; none if the training failed
  double setup_seconds = 0;          ///< before the first epoch
  double seconds = 0;                ///< of all epochs
  double elapsed = 0;                ///< since the search began, over all calls
  std::string failure = {};          ///< why the training failed; empty if it did not
};

/// A trial, as far as it came.
struct GIR_API TuneTrial {
  std::int64_t number = 0;
  SettingValues changes = {};      ///< that differ from the default
  std::int64_t round = 0;          ///< the last one with a finished training; 0: none
  std::vector<double> valid = {};  ///< in that round, by split
  double seconds = 0;              ///< of all its trainings
  std::string failure = {};        ///< of the first training that failed

  Summary summary() const { return summarise(valid); }
};

/// The result of a search, or what is known of it when it was interrupted.
struct GIR_API TuneOutcome {
  std::string dataset = {};
  Task task = Task::kLinkPrediction;
  std::string metric = {};
  std::string recipe = {};
  std::string default_model = {};
  std::vector<TuneTrial> trials = {};  ///< by number, the default first

  std::int64_t round = 0;                  ///< whose trainings decide; 0: not even the default has been trained
  double share = 0;                        ///< of the epochs of a complete training, in that round
  std::vector<std::int64_t> ranks = {};    ///< numbers of the trials that it compares, the best first
  std::vector<std::uint64_t> splits = {};  ///< that all of them were trained on; their `valid` has these only

  std::int64_t repeated = 0;  ///< candidates skipped because they were the same as earlier ones
  std::int64_t invalid = 0;   ///< candidates skipped because their settings cannot be combined
  bool exhausted = false;     ///< the space has no further candidates
  double seconds = 0;         ///< of the search, over all calls
  bool complete = false;      ///< the last round is finished
  bool interrupted = false;

  /// The best trial; the default where nothing could be compared.
  const TuneTrial& best() const { return trials[static_cast<std::size_t>(ranks.empty() ? 0 : ranks.front())]; }

  /// The default among the compared trials; null if it failed.
  const TuneTrial* compared_default() const;
};

/// The progress of a search.
struct GIR_API TuneProgress {
  std::int64_t round = 0;
  std::int64_t done = 0;            ///< trainings of this round that have ended
  std::int64_t total = 0;           ///< 0: as many as fit into the budget
  std::int64_t trials = 1;          ///< so far
  double best = -1;                 ///< best validation metric of a training in this round; negative: none
  SettingValues best_changes = {};  ///< of its trial
  double seconds = 0;               ///< of the search so far, over all calls
};

/// Called after every epoch and training, by one thread at a time. Throwing Interrupted stops the search.
using TuneObserver = std::function<void(const TuneProgress&)>;

/// Searches for settings and keeps everything in `folder`: request.json, what was requested; trials.jsonl, one line per
/// finished training; best.json, a configuration of the settings that were given and those of the best trial. Trainings
/// run one per core, each on one thread, and never evaluate the test set. Repeat k of a trial has split k, unless
/// `split` is given or the data has its own split, and seed `seed` + k. A call for the same folder continues an
/// earlier one; UserError if that had another request. With a number of trials and no budget the outcome depends on the
/// options and the seed only, with a budget also on the speed of the machine. A training that fails is recorded with
/// its reason; UserError if all fail. When the observer throws Interrupted, the outcome is what is known by then.
GIR_API TuneOutcome tune(const Dataset& dataset, const TuneOptions& options, const std::filesystem::path& folder,
                         const TuneObserver& observer = {});

}  // namespace gir
