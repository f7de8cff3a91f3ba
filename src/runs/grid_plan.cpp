#include "grid_plan.h"

#include <algorithm>
#include <map>

#include "gir/core/file.h"
#include "gir/runs/model_spec.h"
#include "grid_splits.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// Hash of everything that a run depends on except data set, model, seed and split, which are separate columns.
std::string settings_hash(RunConfig config, const std::string& data, const Context& context) {
  config.seed = 0;
  config.split = 0;
  return run_fingerprint(std::move(config), data, context);
}

/// The configuration of one model on one data set, given as `graph`.
RunConfig config_of(const GridOptions& options, const ModelSpec& spec, const std::string& graph,
                    const Dataset& dataset) {
  SettingValues given = options.given;
  given["graph"] = graph;
  if (!Registry<ModelEntry>::get(spec.model).fuses) given.erase("experts");  // only fused models have experts
  given["model"] = spec.model;
  for (const auto& [name, value] : spec.settings) given[name] = value;
  try {
    return resolve(options.recipe, given, dataset);
  } catch (const UserError& error) {
    throw named_error(spec.text(), dataset, error.what());
  }
}

/// Models with another main metric would be in one column with the others.
void check_metric(const ModelSpec& spec, const RunConfig& config, const ModelSpec& first, const std::string& metric) {
  if (main_metric(config) == metric) return;
  throw UserError(
      "the metric of {} is {}, but that of {} is {}, so they cannot be compared [omit `select-by`, or set it for all]",
      spec.text(), main_metric(config), first.text(), metric);
}

/// Several data sets may have the same note.
void report_once(const GridOptions& options, const std::vector<std::string>& notes) {
  if (!options.note) return;
  for (auto note = notes.begin(); note != notes.end(); ++note) {
    if (std::find(notes.begin(), note, *note) == note) options.note(*note);
  }
}

/// Names identify rows and columns of the results, so they must be unique.
void reject_duplicates(std::vector<std::string> names, std::string_view what) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw UserError("{} have the name {} [list each only once]", what, quoted(std::string_view(*twice)));
}

std::vector<ModelSpec> model_specs(const GridOptions& options) {
  std::vector<ModelSpec> specs;
  for (const std::string& text : options.models) specs.push_back(parse_model_spec(text, SpecUse::kRun));
  return specs;
}

/// Models whose settings are equal on all data sets (gir-a and gir-a:layers=3) would be two rows of the same runs.
void reject_equal_models(const std::vector<GridRun>& runs) {
  std::map<std::string, std::string> settings_of;  // all hashes of a model, one after the other
  for (const GridRun& run : runs) settings_of[run.model] += run.settings;
  std::map<std::string, std::string> seen;
  for (const auto& [model, settings] : settings_of) {
    const auto [other, is_new] = seen.emplace(settings, model);
    if (!is_new) throw UserError("the models {} and {} have the same settings [omit one]", other->second, model);
  }
}

}  // namespace

UserError named_error(const std::string& model, const Dataset& dataset, std::string_view message) {
  return UserError("{} on {}: {}", model, dataset.name, message);
}

void check(const GridOptions& options) {
  if (!options.recipe.empty()) Registry<Recipe>::get(options.recipe);
  if (options.datasets.empty()) throw UserError("no data sets were given [set `datasets`]");
  if (options.models.empty()) throw UserError("no models were given [set `models`]");
  const std::vector<ModelSpec> specs = model_specs(options);
  std::vector<std::string> models;
  for (const ModelSpec& spec : specs) models.push_back(spec.text());
  reject_duplicates(std::move(models), "two of the models");
  const auto fuses = [](const ModelSpec& spec) { return Registry<ModelEntry>::get(spec.model).fuses; };
  if (options.given.contains("experts") && std::none_of(specs.begin(), specs.end(), fuses)) {
    throw UserError("`experts` are for fused models, and none of the models is one [add the model fusion]");
  }
  const bool uneven = options.splits > 0 && options.runs % options.splits != 0;
  if (options.splits < 0 || options.runs < 1 || uneven) {
    throw UserError("{} runs cannot be distributed evenly over {} splits [`runs` must be a multiple of `splits`]",
                    options.runs, options.splits);
  }
}

std::vector<std::unique_ptr<Dataset>> open_datasets(const GridOptions& options) {
  std::vector<std::unique_ptr<Dataset>> datasets;
  std::vector<std::string> names;
  for (const std::string& name : options.datasets) {
    DataRequest request = data_request(options.given);
    request.graph = name;
    datasets.push_back(std::make_unique<Dataset>(open_data(request, options.data_dir)));
    names.push_back(datasets.back()->name);
    if (options.opened) options.opened(*datasets.back());
  }
  reject_duplicates(std::move(names), "two of the data sets");
  return datasets;
}

std::vector<GridRun> list_runs(const GridOptions& options, const std::vector<std::unique_ptr<Dataset>>& datasets) {
  const std::vector<ModelSpec> specs = model_specs(options);
  std::vector<GridRun> runs;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto& dataset = datasets[i];
    const std::string data = fingerprint(dataset->data);
    std::string metric;
    SplitPlan splits;
    for (const ModelSpec& spec : specs) {
      RunConfig config = config_of(options, spec, options.datasets[i], *dataset);
      if (&spec == &specs.front()) {
        splits = plan_splits(options, config, *dataset);
        notes.insert(notes.end(), splits.notes.begin(), splits.notes.end());
        metric = main_metric(config);
      }
      check_metric(spec, config, specs.front(), metric);
      const std::string settings = settings_hash(config, data, options.context);
      const std::int64_t seeds = options.runs / splits.count;
      for (std::int64_t run = 0; run < options.runs; ++run) {
        config.split = static_cast<std::uint64_t>(run / seeds);
        config.seed = static_cast<std::uint64_t>(run % seeds);
        runs.push_back({dataset.get(), data, spec.text(), config, settings});
      }
    }
  }
  reject_equal_models(runs);
  report_once(options, notes);
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

GridRequest request_of(const GridOptions& options, const std::vector<GridRun>& runs) {
  GridRequest request{.command = options.command, .set = options.set, .cells = {}};
  for (const GridRun& run : runs) {
    if (run.config.seed == 0 && run.config.split == 0) {
      request.cells.push_back(
          {.dataset = run.dataset->name, .task = run.config.task, .model = run.model, .settings = run.settings});
    }
    GridCell& cell = request.cells.back();
    cell.splits = std::max(cell.splits, run.config.split + 1);
    cell.seeds = std::max(cell.seeds, run.config.seed + 1);
  }
  return request;
}

}  // namespace gir
