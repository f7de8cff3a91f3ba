#include "gir/runs/grid.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "gir/core/parallel.h"
#include "gir/core/version.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "gir/runs/expert_cache.h"
#include "gir/runs/expert_specs.h"
#include "grid_plan.h"
#include "grid_watch.h"
#include "result_log.h"
#include "run_warnings.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

using RunKey = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::string>;

RunKey key_of(const GridRun& run) {
  return {run.dataset->name, run.model, run.config.split, run.config.seed, run.settings};
}

RunKey key_of(const GridResult& result) {
  return {result.dataset, result.model, result.split, result.seed, result.settings};
}

/// Trains the runs of a grid with shared experts. A run whose model is also an expert of another run uses the cache as
/// well, so that it is trained only once.
class GridExperts {
 public:
  GridExperts(fs::path folder, const std::vector<GridRun>& runs, const Context& context) : cache_(std::move(folder)) {
    for (const GridRun& run : runs) {
      for (const ExpertSpec& spec : run.config.fusion.experts) {
        places_.insert(cache_.place(expert_config(run.config, spec), run.data, context));
      }
    }
  }

  RunResult run(Experiment& experiment, const GridRun& run, const Trainer::Observer& observer) {
    const auto train = [&](Experiment& expert, const Trainer::Observer& watch) {
      cache_.train(expert, *run.dataset, watch);
    };
    if (!places_.contains(cache_.place(run.config, run.data, experiment.context())))
      return experiment.run(observer, train);
    const RunDirectory directory = cache_.train(experiment, *run.dataset, observer);
    RunResult result = experiment.evaluate();
    add_history(directory, result);
    return result;
  }

 private:
  ExpertCache cache_;
  std::set<fs::path> places_;
};

/// A test metric by its name; nothing if the run does not have it.
std::optional<double> test_metric(const RunResult& result, std::string_view wanted) {
  for (const auto& [name, value] : result.test.values) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

/// The warnings of a run that do not speak of test metrics, which comparisons on validation data must not show.
std::vector<std::string> warnings_without_test(Experiment& experiment, const Dataset& dataset, RunResult result) {
  result.test = {};
  return run_warnings(experiment, dataset, validated_classes(experiment, result.task, experiment.forward()), result);
}

GridResult train(const GridRun& run, const GridOptions& options, GridExperts& experts,
                 const Trainer::Observer& observer, const ProgressCallback& preparing) {
  const ContextScope scope(options.context);
  Experiment experiment(*run.dataset, run.config, options.context, {.progress = preparing});
  const RunResult result = experts.run(experiment, run, observer);
  if (result.interrupted) throw Interrupted();
  ensure(options.set == EvaluationSet::kValid || !result.test.values.empty(), "a grid of test metrics has a test set");
  return {.dataset = result.dataset,
          .task = std::string(task_name(result.task)),
          .model = run.model,
          .metric = result.metric,
          .test = result.test.main(),
          .valid = result.valid.main(),
          .best_epoch = result.best_epoch,
          .seed = result.seed,
          .split = result.split,
          .seconds = result.seconds,
          .prepare_seconds = result.prepare_seconds,
          .bad_epoch = result.bad_epoch,
          .version = kVersion,
          .settings = run.settings,
          .average_precision = test_metric(result, "average_precision"),
          .complementarity = test_metric(result, "ec"),
          .warnings = warnings_without_test(experiment, *run.dataset, result),
          .device = result.device};
}

/// The folder of the setting `expert-cache`, or that of the grid.
fs::path experts_folder(const GridOptions& options, const fs::path& folder) {
  const auto shared = options.given.find("expert-cache");
  return shared == options.given.end() || shared->second.empty() ? folder / "experts" : fs::path(shared->second);
}

/// Runs of earlier calls, and runs that are still to be done.
struct GridState {
  std::map<RunKey, GridResult> results;
  std::vector<const GridRun*> missing;
  GridForecast forecast;
};

GridState state_of(const std::vector<GridRun>& runs, const std::vector<GridResult>& found) {
  GridState state;
  for (const GridResult& result : found) state.results.insert_or_assign(key_of(result), result);
  for (const GridRun& run : runs) {
    if (const auto place = state.results.find(key_of(run)); place != state.results.end()) {
      state.forecast.learn(run.dataset->name, run.model, place->second.prepare_seconds + place->second.seconds);
    } else {
      state.missing.push_back(&run);
      state.forecast.expect(run.dataset->name, run.model);
    }
  }
  return state;
}

/// Records failures in the folder: the first one of every cell, and their number. `failures` are messages by run.
void write_failures(const fs::path& folder, GridRequest request, const std::vector<const GridRun*>& runs,
                    const std::map<std::int64_t, std::string>& failures) {
  for (const auto& [number, message] : failures) {
    const GridRun& run = *runs[static_cast<std::size_t>(number)];
    for (GridCell& cell : request.cells) {
      if (cell.dataset != run.dataset->name || cell.model != run.model) continue;
      if (cell.failed++ == 0) cell.failure = message;
    }
  }
  write_grid_request(folder, request);
}

}  // namespace

fs::path grid_settings_file(const fs::path& folder, const std::string& settings) {
  return folder / "settings" / (settings + ".json");
}

std::vector<GridResult> run_grid(const GridOptions& options, const fs::path& folder, const GridObserver& observer) {
  check(options);
  const ThreadScope threads(options.context.threads);
  if (fs::exists(folder / "config.json")) throw UserError(folder, "contains a single run [choose another folder]");
  const std::vector<std::unique_ptr<Dataset>> datasets = open_datasets(options);
  const std::vector<GridRun> runs = list_runs(options, datasets);
  for (const GridRun& run : runs) make_cache_folder(run.config.fusion.cache);
  fs::create_directories(folder);
  write_settings(folder, runs);
  const GridRequest request = request_of(options, runs);
  write_grid_request(folder, request);
  ResultLog log(folder);
  GridState state = state_of(runs, log.found());
  GridWatch watch(observer, state.forecast, std::ssize(runs) - std::ssize(state.missing), std::ssize(runs));
  std::mutex mutex;
  std::map<std::int64_t, std::string> failures;
  GridExperts experts(experts_folder(options, folder), runs, options.context);
  parallel_blocks(std::ssize(state.missing), [&](std::int64_t i) {
    if (watch.stopped()) throw Interrupted();
    const GridRun& run = *state.missing[static_cast<std::size_t>(i)];
    const std::optional<GridResult> result = [&]() -> std::optional<GridResult> {
      try {
        return train(
            run, options, experts, [&](const EpochReport& epoch) { watch.epoch_ended(i, run, epoch); },
            [&](const Progress&) { watch.prepares(); });
      } catch (const UserError& error) {
        if (!options.keep_going) throw named_error(run.model, *run.dataset, error.what());
        const std::lock_guard lock(mutex);
        failures.emplace(i, error.what());
        return std::nullopt;
      }
    }();
    if (!result) return watch.run_failed(i, run);
    {
      const std::lock_guard lock(mutex);
      log.add(*result);
      state.results.insert_or_assign(key_of(run), *result);
    }
    watch.run_ended(i, *result);
  });
  if (!failures.empty()) write_failures(folder, request, state.missing, failures);
  std::vector<GridResult> ordered;
  for (const GridRun& run : runs) {
    if (const auto found = state.results.find(key_of(run)); found != state.results.end()) {
      ordered.push_back(found->second);
    }
  }
  if (ordered.empty()) {
    const GridRun& first = *state.missing[static_cast<std::size_t>(failures.begin()->first)];
    throw named_error(first.model, *first.dataset, failures.begin()->second);
  }
  return ordered;
}

}  // namespace gir
