#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/report/grid_report.h"
#include "gir/runs/grid.h"
#include "gir/runs/statistics.h"
#include "payload.h"

namespace gir::html {
namespace {

namespace fs = std::filesystem;

/// Appends a name unless it is already there.
void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Identifies the runs of one model in one column of the table.
struct CellKey {
  std::string dataset;
  std::string task;
  std::string model;

  auto operator<=>(const CellKey&) const = default;
};

CellKey cell_of(const GridResult& run) { return {run.dataset, run.task, run.model}; }

/// Sorts results, which are logged in the order in which runs finished, by the data sets and models of the request
/// (others last), split and seed.
void sort_results(std::vector<GridResult>& results, const std::optional<GridRequest>& request) {
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  std::stable_sort(results.begin(), results.end(), [&](const GridResult& a, const GridResult& b) {
    const auto key = [&](const GridResult& run) {
      return request ? std::pair(place(request->datasets, run.dataset), place(request->models, run.model))
                     : std::pair(std::ptrdiff_t{0}, std::ptrdiff_t{0});
    };
    return std::tuple(key(a), a.split, a.seed) < std::tuple(key(b), b.split, b.seed);
  });
}

/// A folder may contain runs of one cell with several settings. Those of the last request are shown, or, if there is no
/// request, those that were added last. If a run occurs twice, its last line is used.
std::vector<GridResult> latest_results(const std::vector<GridResult>& all, const std::optional<GridRequest>& request,
                                       Notes& notes) {
  std::set<std::string> requested;
  if (request) requested.insert(request->settings.begin(), request->settings.end());
  std::map<CellKey, std::string> latest;
  for (const GridResult& run : all) {
    std::string& settings = latest[cell_of(run)];
    if (requested.contains(run.settings) || !requested.contains(settings)) settings = run.settings;
  }
  std::vector<GridResult> results;
  std::map<std::tuple<CellKey, std::uint64_t, std::uint64_t>, std::size_t> places;
  std::int64_t others = 0;
  for (const GridResult& run : all) {
    if (latest[cell_of(run)] != run.settings) {
      ++others;
      continue;
    }
    const auto [place, is_new] = places.try_emplace({cell_of(run), run.split, run.seed}, results.size());
    if (is_new) {
      results.push_back(run);
    } else {
      results[place->second] = run;
    }
  }
  if (others > 0) {
    notes.push_back(fmt::format(
        "{} runs with other settings than the last ones of their model and data set are not shown", others));
  }
  return results;
}

ordered_json published(const PublishedResult& result) { return {{"mean", result.mean}, {"sd", result.sd}}; }

const char* standing_name(Standing standing) {
  if (standing == Standing::kAbove) return "above";
  return standing == Standing::kWithin ? "within" : "below";
}

/// Null instead of statistics of a single run.
ordered_json unless_single(double value, std::int64_t runs) { return runs < 2 ? ordered_json() : ordered_json(value); }

ordered_json cell_json(const ResultCell& cell) {
  ordered_json json = {{"dataset", cell.dataset},
                       {"task", cell.task},
                       {"model", cell.model},
                       {"mean", cell.mean},
                       {"sd", unless_single(cell.sd, cell.runs)},
                       {"runs", cell.runs}};
  if (const auto paper = paper_result(cell.dataset, cell.task, cell.model)) {
    json["paper"] = published(*paper);
    json["paper"]["standing"] = standing_name(standing(cell.mean, *paper));
  }
  if (cell.complementarity) {
    json["ec"] = {{"mean", cell.complementarity->mean},
                  {"sd", unless_single(cell.complementarity->sd, cell.complementarity->runs)}};
    if (const auto paper = paper_complementarity(cell.dataset, cell.task, cell.model)) {
      json["ec"]["paper"] = published(*paper);
    }
  }
  return json;
}

ordered_json run_json(const GridResult& run, const fs::path& folder, const HtmlReportOptions& options) {
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
  if (fs::exists(settings) && options.command) {
    json["command"] = options.command({.config = settings, .device = run.device, .seed = run.seed, .split = run.split});
  }
  return json;
}

/// A column of the table.
struct Column {
  std::string dataset;
  std::string task;

  bool operator==(const Column&) const = default;
};

/// Test metrics in percent of one model in one column, by split and seed.
using RunMetrics = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

/// The paired difference of two models; nothing if they have no split and seed in common.
std::optional<ordered_json> difference_json(const RunMetrics& first, const RunMetrics& second) {
  std::vector<double> ours, others, differences;
  for (const auto& [key, value] : first) {
    const auto found = second.find(key);
    if (found == second.end()) continue;
    ours.push_back(value);
    others.push_back(found->second);
    differences.push_back(value - found->second);
  }
  if (ours.empty()) return std::nullopt;
  const PairedTest test = paired_t_test(ours, others);
  return ordered_json{{"runs", ours.size()},
                      {"mean", test.mean_difference},
                      {"sd", unless_single(summarise(differences).sd, test.pairs)},
                      {"t", unless_single(test.t, test.pairs)},
                      {"p", unless_single(test.p, test.pairs)}};
}

ordered_json differences_json(const std::vector<GridResult>& results, const std::vector<Column>& columns,
                              const std::vector<std::string>& models) {
  std::map<CellKey, RunMetrics> metrics;
  for (const GridResult& run : results) metrics[cell_of(run)][{run.split, run.seed}] = 100 * run.test;
  ordered_json list = ordered_json::array();
  for (const auto& [dataset, task] : columns) {
    for (std::size_t a = 0; a < models.size(); ++a) {
      for (std::size_t b = a + 1; b < models.size(); ++b) {
        const auto difference =
            difference_json(metrics[{dataset, task, models[a]}], metrics[{dataset, task, models[b]}]);
        if (!difference) continue;
        ordered_json entry = {{"dataset", dataset}, {"task", task}, {"first", models[a]}, {"second", models[b]}};
        entry.update(*difference);
        list.push_back(std::move(entry));
      }
    }
  }
  return list;
}

/// Summarises every column separately, since a data set may have several tasks.
std::vector<ResultCell> summarise_columns(const std::vector<GridResult>& results, const std::vector<Column>& columns) {
  std::vector<ResultCell> cells;
  for (const auto& [dataset, task] : columns) {
    std::vector<GridResult> some;
    for (const GridResult& run : results) {
      if (run.dataset == dataset && run.task == task) some.push_back(run);
    }
    for (ResultCell& cell : summarise_grid(some)) cells.push_back(std::move(cell));
  }
  return cells;
}

/// The number of cells of the complete table: everything that was requested or has results.
std::int64_t expected_cells(std::vector<std::string> models, const std::vector<Column>& columns,
                            const std::optional<GridRequest>& request) {
  std::int64_t expected_columns = std::ssize(columns);
  if (request) {
    for (const std::string& model : request->models) add_once(models, model);
    expected_columns += std::count_if(request->datasets.begin(), request->datasets.end(), [&](const auto& dataset) {
      return std::none_of(columns.begin(), columns.end(), [&](const Column& c) { return c.dataset == dataset; });
    });
  }
  return std::ssize(models) * expected_columns;
}

void note_missing_runs(const std::vector<ResultCell>& cells, std::int64_t expected, Notes& notes) {
  std::int64_t max_runs = 0;
  for (const ResultCell& cell : cells) max_runs = std::max(max_runs, cell.runs);
  const auto fewer = std::count_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.runs < max_runs; });
  const auto missing = expected - std::ssize(cells);
  if (fewer + missing == 0) return;
  notes.push_back(fmt::format("the grid is incomplete: fewer than {} runs in {} of {} cells, none in {}", max_runs,
                              fewer, expected, missing));
}

}  // namespace

ordered_json grid_payload(const fs::path& folder, const HtmlReportOptions& options, Notes& notes) {
  const std::optional<GridRequest> request = read_grid_request(folder);
  std::vector<GridResult> results = latest_results(read_grid_results(folder), request, notes);
  sort_results(results, request);
  if (results.empty())
    throw UserError(folder / "results.jsonl", "contains no finished run yet [wait until the first run is finished]");
  std::vector<std::string> models;
  std::vector<Column> columns;
  ordered_json headings = ordered_json::array(), cells = ordered_json::array(), runs = ordered_json::array();
  ordered_json settings = ordered_json::object();
  bool some_unknown = false;
  for (const GridResult& run : results) {
    add_once(models, run.model);
    runs.push_back(run_json(run, folder, options));
    if (std::find(columns.begin(), columns.end(), Column{run.dataset, run.task}) == columns.end()) {
      columns.push_back({run.dataset, run.task});
      headings.push_back({{"dataset", run.dataset}, {"task", run.task}, {"metric", run.metric}});
    }
    const fs::path file = grid_settings_file(folder, run.settings);
    const bool known = fs::exists(file);
    some_unknown = some_unknown || !known;
    if (known && !settings.contains(run.settings)) settings[run.settings] = settings_list(file);
  }
  if (some_unknown) notes.push_back("the settings of some runs are not recorded: their settings/*.json are missing");
  const std::vector<ResultCell> summaries = summarise_columns(results, columns);
  for (const ResultCell& cell : summaries) cells.push_back(cell_json(cell));
  note_missing_runs(summaries, expected_cells(models, columns, request), notes);
  return {{"folder", folder.string()},
          {"command", request ? request->command : ""},
          {"columns", headings},
          {"models", models},
          {"cells", cells},
          {"runs", runs},
          {"differences", differences_json(results, columns, models)},
          {"settings", settings}};
}

}  // namespace gir::html
