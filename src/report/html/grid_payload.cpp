#include <algorithm>
#include <map>
#include <set>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/gzip.h"
#include "gir/report/grid_report.h"
#include "gir/train/grid.h"
#include "gir/train/statistics.h"
#include "payload.h"

namespace gir::html {
namespace {

namespace fs = std::filesystem;

/// In the order in which they first occur.
void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// A folder may hold runs of one model with several settings: those that were added last count. A run that was made
/// twice counts once.
std::vector<GridResult> latest_results(const std::vector<GridResult>& all, Notes& notes) {
  std::map<std::pair<std::string, std::string>, std::string> latest;
  for (const GridResult& run : all) latest[{run.dataset, run.model}] = run.settings;
  std::vector<GridResult> results;
  std::set<std::tuple<std::string, std::string, std::uint64_t, std::uint64_t>> seen;
  std::int64_t others = 0;
  for (const GridResult& run : all) {
    if (latest[{run.dataset, run.model}] != run.settings) {
      ++others;
    } else if (seen.insert({run.dataset, run.model, run.split, run.seed}).second) {
      results.push_back(run);
    }
  }
  if (others > 0) {
    notes.push_back(
        fmt::format("{} runs with other settings than the last ones of their model and data set are left out", others));
  }
  return results;
}

ordered_json published(const PublishedFigure& figure) { return {{"mean", figure.mean}, {"sd", figure.sd}}; }

const char* standing_name(Standing standing) {
  if (standing == Standing::kAbove) return "above";
  return standing == Standing::kWithin ? "within" : "below";
}

ordered_json cell_json(const ResultCell& cell) {
  ordered_json json = {{"dataset", cell.dataset}, {"task", cell.task}, {"model", cell.model},
                       {"mean", cell.mean},       {"sd", cell.sd},     {"runs", cell.runs}};
  if (const auto paper = paper_figure(cell.dataset, cell.task, cell.model)) {
    json["paper"] = published(*paper);
    json["paper"]["standing"] = standing_name(standing(cell.mean, *paper));
  }
  if (cell.complementarity) {
    json["ec"] = {{"mean", cell.complementarity->mean}, {"sd", cell.complementarity->sd}};
    if (const auto paper = paper_complementarity(cell.dataset, cell.task, cell.model)) {
      json["ec"]["paper"] = published(*paper);
    }
  }
  return json;
}

ordered_json run_json(const GridResult& run, const fs::path& folder) {
  ordered_json json = {{"dataset", run.dataset},
                       {"task", run.task},
                       {"model", run.model},
                       {"seed", run.seed},
                       {"split", run.split},
                       {"test", 100 * run.test},
                       {"valid", 100 * run.valid},
                       {"best_epoch", run.best_epoch},
                       {"seconds", run.seconds},
                       {"settings", run.settings},
                       {"command", ""}};
  if (run.complementarity) json["ec"] = 100 * *run.complementarity;
  const fs::path settings = grid_settings_file(folder, run.settings);
  if (fs::exists(settings)) {
    json["command"] = fmt::format("gir train --config {} --seed {} --split {} -o again", shell_word(settings.string()),
                                  run.seed, run.split);
  }
  return json;
}

/// Figures in percent of runs of one model on one data set, by split and seed.
using RunFigures = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

ordered_json differences_json(const std::vector<GridResult>& results, const std::vector<std::string>& models) {
  std::map<std::pair<std::string, std::string>, RunFigures> figures;
  std::map<std::string, std::string> tasks;
  std::vector<std::string> datasets;
  for (const GridResult& run : results) {
    figures[{run.dataset, run.model}][{run.split, run.seed}] = 100 * run.test;
    tasks[run.dataset] = run.task;
    add_once(datasets, run.dataset);
  }
  ordered_json list = ordered_json::array();
  for (const std::string& dataset : datasets) {
    for (std::size_t a = 0; a < models.size(); ++a) {
      for (std::size_t b = a + 1; b < models.size(); ++b) {
        std::vector<double> first, second, difference;
        const RunFigures& others = figures[{dataset, models[b]}];
        for (const auto& [key, value] : figures[{dataset, models[a]}]) {
          const auto found = others.find(key);
          if (found == others.end()) continue;
          first.push_back(value);
          second.push_back(found->second);
          difference.push_back(value - found->second);
        }
        if (first.empty()) continue;
        const PairedTest test = paired_t_test(first, second);
        list.push_back({{"dataset", dataset},
                        {"task", tasks[dataset]},
                        {"first", models[a]},
                        {"second", models[b]},
                        {"runs", first.size()},
                        {"mean", test.mean_difference},
                        {"sd", summarise(difference).sd},
                        {"t", test.t},
                        {"p", test.p}});
      }
    }
  }
  return list;
}

/// What was typed for the grid, last; empty where nobody kept it.
std::string command_of(const fs::path& folder) {
  const fs::path file = grid_command_file(folder);
  if (!fs::exists(file)) return "";
  std::string text(TextFile(file).text());
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

ordered_json grid_payload(const fs::path& folder, Notes& notes) {
  const std::vector<GridResult> results = latest_results(read_grid_results(folder), notes);
  if (results.empty()) throw UserError(folder / "results.jsonl", "holds no run yet [let the first one end]");
  std::vector<std::string> models, datasets;
  ordered_json columns = ordered_json::array(), cells = ordered_json::array(), runs = ordered_json::array();
  ordered_json settings = ordered_json::object();
  bool some_unknown = false;
  for (const GridResult& run : results) {
    add_once(models, run.model);
    runs.push_back(run_json(run, folder));
    if (std::find(datasets.begin(), datasets.end(), run.dataset) == datasets.end()) {
      datasets.push_back(run.dataset);
      columns.push_back({{"dataset", run.dataset}, {"task", run.task}, {"metric", run.metric}});
    }
    if (settings.contains(run.settings)) continue;
    const fs::path file = grid_settings_file(folder, run.settings);
    if (fs::exists(file)) {
      settings[run.settings] = settings_list(file);
    } else {
      some_unknown = true;
    }
  }
  if (some_unknown) notes.push_back("what some runs were set to is not recorded: their settings/*.json are missing");
  const std::vector<ResultCell> summaries = summarise_grid(results);
  for (const ResultCell& cell : summaries) cells.push_back(cell_json(cell));
  const auto most = std::max_element(summaries.begin(), summaries.end(), [](const auto& a, const auto& b) {
                      return a.runs < b.runs;
                    })->runs;
  const auto fewer =
      std::count_if(summaries.begin(), summaries.end(), [&](const auto& cell) { return cell.runs < most; });
  const auto missing = std::ssize(models) * std::ssize(datasets) - std::ssize(summaries);
  if (fewer + missing > 0) {
    notes.push_back(
        fmt::format("the grid is not complete: {} cells have fewer than {} runs, {} have none", fewer, most, missing));
  }
  return {{"folder", folder.string()},
          {"command", command_of(folder)},
          {"columns", columns},
          {"models", models},
          {"cells", cells},
          {"runs", runs},
          {"differences", differences_json(results, models)},
          {"settings", settings}};
}

}  // namespace gir::html
