#include "gir/runs/grid.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/parallel.h"
#include "gir/core/version.h"
#include "gir/nn/device.h"
#include "gir/runs/experiment.h"
#include "gir/runs/expert_cache.h"
#include "gir/runs/expert_specs.h"
#include "gir/runs/grid_forecast.h"
#include "progress_watch.h"
#include "result_log.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// One run of a grid.
struct GridRun {
  const Dataset* dataset;
  std::string data;  ///< its fingerprint
  RunConfig config;
  std::string settings;
};

/// Hash of everything that a run depends on except data set, model, seed and split, which are separate columns.
std::string settings_hash(RunConfig config, const std::string& data, const Context& context) {
  config.seed = 0;
  config.split = 0;
  return run_fingerprint(std::move(config), data, context);
}

/// Calls `action`, and adds model and data set of the run to the message of a UserError.
template <typename Action>
auto named_run(const std::string& model, const Dataset& dataset, const Action& action) {
  try {
    return action();
  } catch (const UserError& error) {
    throw UserError("{} on {}: {}", model, dataset.name, error.what());
  }
}

std::vector<GridRun> list_runs(const GridOptions& options, const std::vector<std::unique_ptr<Dataset>>& datasets) {
  std::vector<GridRun> runs;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto& dataset = datasets[i];
    const std::string data = fingerprint(dataset->data);
    for (const std::string& model : options.models) {
      SettingValues given = options.given;
      given["graph"] = options.datasets[i];
      if (!Registry<ModelEntry>::get(model).fuses) given.erase("experts");  // only fused models have experts
      given["model"] = model;
      RunConfig config = named_run(model, *dataset, [&] { return resolve(options.recipe, given, *dataset); });
      const std::string settings = settings_hash(config, data, options.context);
      const std::int64_t seeds = options.runs / (config.official_split ? 1 : options.splits);
      for (std::int64_t run = 0; run < options.runs; ++run) {
        config.split = static_cast<std::uint64_t>(run / seeds);
        config.seed = static_cast<std::uint64_t>(run % seeds);
        runs.push_back({dataset.get(), data, config, settings});
      }
    }
  }
  return runs;
}

void write_settings(const fs::path& folder, const std::vector<GridRun>& runs) {
  fs::create_directories(folder / "settings");
  for (const GridRun& run : runs) {
    if (run.config.seed != 0 || run.config.split != 0) continue;
    const fs::path file = grid_settings_file(folder, run.settings);
    if (!fs::exists(file)) write_file(file, settings_text(run.config));
  }
}

/// The request that the runs belong to, every name once and in order.
GridRequest request_of(const std::vector<GridRun>& runs, const std::string& command) {
  GridRequest request{.command = command, .datasets = {}, .models = {}, .settings = {}};
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const GridRun& run : runs) {
    add(request.datasets, run.dataset->name);
    add(request.models, run.config.model);
    add(request.settings, run.settings);
  }
  return request;
}

using RunKey = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::string>;

RunKey key_of(const GridRun& run) {
  return {run.dataset->name, run.config.model, run.config.split, run.config.seed, run.settings};
}

RunKey key_of(const GridResult& result) {
  return {result.dataset, result.model, result.split, result.seed, result.settings};
}

/// Tracks the progress of the grid and reports it to the observer.
class GridWatch {
 public:
  GridWatch(const GridObserver& observer, GridForecast forecast, std::int64_t found, std::int64_t total)
      : threads_(max_threads()),
        forecast_(std::move(forecast)),
        watch_(observer, {.done = found, .total = total, .found = found, .seconds_left = forecast_left()}) {}

  /// Throws Interrupted once the observer has.
  void epoch_ended() {
    watch_.report([](GridProgress& progress) { progress.finished = nullptr; });
  }

  void run_ended(const GridResult& result) {
    watch_.report([&](GridProgress& progress) {
      ++progress.done;
      forecast_.learn(result.dataset, result.model, result.seconds);
      progress.seconds_left = forecast_left();
      progress.finished = &result;
    });
  }

  bool stopped() const { return watch_.stopped(); }

 private:
  double forecast_left() const { return forecast_.seconds_left() / threads_; }

  int threads_;  ///< training threads
  GridForecast forecast_;
  ProgressWatch<GridProgress> watch_;
};

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

std::optional<double> complementarity_of(const RunResult& result) {
  for (const auto& [name, value] : result.test.values) {
    if (name == "ec") return value;
  }
  return std::nullopt;
}

GridResult train(const GridRun& run, const Context& context, GridExperts& experts, GridWatch& watch) {
  const ContextScope scope(context);
  Experiment experiment(*run.dataset, run.config, context);
  const RunResult result = experts.run(experiment, run, [&](const EpochReport&) { watch.epoch_ended(); });
  if (result.interrupted) throw Interrupted();
  return {.dataset = result.dataset,
          .task = std::string(task_name(result.task)),
          .model = result.model,
          .metric = result.metric,
          .test = result.test.main(),
          .valid = result.valid.main(),
          .best_epoch = result.best_epoch,
          .seed = result.seed,
          .split = result.split,
          .seconds = result.seconds,
          .bad_epoch = result.bad_epoch,
          .version = kVersion,
          .settings = run.settings,
          .complementarity = complementarity_of(result),
          .device = result.device};
}

/// The folder of the setting `expert-cache`, or that of the grid.
fs::path experts_folder(const GridOptions& options, const fs::path& folder) {
  const auto shared = options.given.find("expert-cache");
  return shared == options.given.end() || shared->second.empty() ? folder / "experts" : fs::path(shared->second);
}

/// Names identify rows and columns of the results, so they must be unique.
void reject_duplicates(std::vector<std::string> names, std::string_view what) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw UserError("{} have the name {} [list each only once]", what, quoted(std::string_view(*twice)));
}

void check(const GridOptions& options) {
  if (!options.recipe.empty()) Registry<Recipe>::get(options.recipe);
  if (options.datasets.empty()) throw UserError("no data sets were given [set `datasets`]");
  if (options.models.empty()) throw UserError("no models were given [set `models`]");
  std::vector<std::string> models;
  for (const std::string& name : options.models) models.push_back(Registry<ModelEntry>::get(name).name);
  reject_duplicates(std::move(models), "two of the models");
  if (options.splits < 1 || options.runs < 1 || options.runs % options.splits != 0) {
    throw UserError("{} runs cannot be distributed evenly over {} splits [`runs` must be a multiple of `splits`]",
                    options.runs, options.splits);
  }
}

}  // namespace

fs::path grid_settings_file(const fs::path& folder, const std::string& settings) {
  return folder / "settings" / (settings + ".json");
}

std::vector<GridResult> run_grid(const GridOptions& options, const fs::path& folder, const GridObserver& observer) {
  check(options);
  const ThreadScope threads(options.context.threads);
  if (fs::exists(folder / "config.json")) throw UserError(folder, "contains a single run [choose another folder]");
  std::vector<std::unique_ptr<Dataset>> datasets;
  for (const std::string& name : options.datasets) {
    DataRequest request = data_request(options.given);
    request.graph = name;
    datasets.push_back(std::make_unique<Dataset>(open_data(request, options.data_dir)));
    if (options.opened) options.opened(*datasets.back());
  }
  std::vector<std::string> names;
  for (const auto& dataset : datasets) names.push_back(dataset->name);
  reject_duplicates(std::move(names), "two of the data sets");
  const std::vector<GridRun> runs = list_runs(options, datasets);
  for (const GridRun& run : runs) make_cache_folder(run.config.fusion.cache);
  fs::create_directories(folder);
  write_settings(folder, runs);
  write_grid_request(folder, request_of(runs, options.command));
  ResultLog log(folder);
  std::map<RunKey, GridResult> results;
  GridForecast forecast;
  for (const GridResult& result : log.found()) results.insert_or_assign(key_of(result), result);
  std::vector<const GridRun*> missing;
  for (const GridRun& run : runs) {
    if (const auto found = results.find(key_of(run)); found != results.end()) {
      forecast.learn(run.dataset->name, run.config.model, found->second.seconds);
    } else {
      missing.push_back(&run);
      forecast.expect(run.dataset->name, run.config.model);
    }
  }
  GridWatch watch(observer, std::move(forecast), std::ssize(runs) - std::ssize(missing), std::ssize(runs));
  std::mutex mutex;
  GridExperts experts(experts_folder(options, folder), runs, options.context);
  parallel_blocks(std::ssize(missing), [&](std::int64_t i) {
    if (watch.stopped()) throw Interrupted();
    const GridRun& run = *missing[static_cast<std::size_t>(i)];
    const GridResult result =
        named_run(run.config.model, *run.dataset, [&] { return train(run, options.context, experts, watch); });
    {
      const std::lock_guard lock(mutex);
      log.add(result);
      results.insert_or_assign(key_of(run), result);
    }
    watch.run_ended(result);
  });
  std::vector<GridResult> ordered;
  for (const GridRun& run : runs) ordered.push_back(results.at(key_of(run)));
  return ordered;
}

}  // namespace gir
