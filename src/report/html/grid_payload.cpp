#include <algorithm>
#include <optional>

#include "gir/core/error.h"
#include "gir/report/grid_report.h"
#include "gir/runs/grid.h"
#include "payload.h"

namespace gir::html {
namespace {

namespace fs = std::filesystem;

/// Appends a name unless it is already there.
void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

ordered_json published(const PublishedResult& result) { return {{"mean", result.mean}, {"sd", result.sd}}; }

const char* comparison_name(PublishedComparison standing) {
  if (standing == PublishedComparison::kAbove) return "above";
  return standing == PublishedComparison::kWithin ? "within" : "below";
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
  if (const auto paper = paper_result(cell)) {
    json["paper"] = published(*paper);
    json["paper"]["standing"] = comparison_name(compare_with_published(cell.mean, *paper));
  }
  if (cell.complementarity) {
    json["ec"] = {{"mean", cell.complementarity->mean},
                  {"sd", unless_single(cell.complementarity->sd, cell.complementarity->runs)}};
    if (const auto of_paper = paper_complementarity(cell)) {
      json["ec"]["paper"] = published(*of_paper);
    }
  }
  return json;
}

/// Published results as rows of their own, without runs.
void add_published_rows(const std::vector<ResultCell>& summaries, std::vector<std::string>& models,
                        ordered_json& cells) {
  for (const std::string& method : published_methods(summaries)) models.push_back(published_row(method));
  std::vector<std::string> shown;
  for (const ResultCell& cell : summaries) {
    if (cell.published.empty() || std::find(shown.begin(), shown.end(), cell.dataset) != shown.end()) continue;
    shown.push_back(cell.dataset);
    for (const PublishedMean& each : cell.published) {
      cells.push_back({{"dataset", cell.dataset},
                       {"task", cell.task},
                       {"model", published_row(each.method)},
                       {"mean", each.mean},
                       {"sd", ordered_json()},
                       {"runs", 0}});
    }
  }
}

ordered_json run_json(const GridResult& run, EvaluationSet set, const fs::path& folder,
                      const HtmlReportOptions& options) {
  ordered_json json = {{"dataset", run.dataset},       {"task", run.task},
                       {"model", run.model},           {"seed", run.seed},
                       {"split", run.split},           {"valid", 100 * run.valid},
                       {"best_epoch", run.best_epoch}, {"seconds", run.seconds},
                       {"settings", run.settings},     {"command", ""}};
  if (set == EvaluationSet::kTest) {
    json["test"] = 100 * run.test;
    if (run.complementarity) json["ec"] = 100 * *run.complementarity;
  }
  const fs::path settings = grid_settings_file(folder, run.settings);
  if (fs::exists(settings) && options.command) {
    json["command"] = options.command({.config = settings, .device = run.device, .seed = run.seed, .split = run.split});
  }
  return json;
}

ordered_json differences_json(const std::vector<GridResult>& results, EvaluationSet set) {
  ordered_json list = ordered_json::array();
  for (const PairedComparison& each : paired_comparisons(results, set)) {
    const std::int64_t runs = each.test.pairs;
    list.push_back({{"dataset", each.dataset},
                    {"task", each.task},
                    {"first", each.models.first},
                    {"second", each.models.second},
                    {"runs", runs},
                    {"mean", each.test.mean_difference},
                    {"sd", unless_single(each.sd, runs)},
                    {"t", unless_single(each.test.t, runs)},
                    {"p", unless_single(each.test.p, runs)},
                    {"p_holm", unless_single(each.adjusted_p, runs)},
                    {"tests", each.tests}});
  }
  return list;
}

/// `cells`: those with runs.
void note_missing_runs(const std::vector<ResultCell>& cells, const std::optional<GridRequest>& request, Notes& notes) {
  std::int64_t max_runs = 0, fewer = 0;
  for (const ResultCell& cell : cells) max_runs = std::max(max_runs, cell.runs);
  for (const ResultCell& cell : cells) fewer += cell.runs < max_runs ? 1 : 0;
  std::int64_t expected = std::ssize(cells);
  if (request) {
    expected = std::count_if(request->cells.begin(), request->cells.end(),
                             [](const GridCell& cell) { return cell.failed == 0; });
  }
  const std::int64_t missing = std::max<std::int64_t>(0, expected - std::ssize(cells));
  if (fewer + missing == 0) return;
  notes.push_back(fmt::format("the grid is incomplete: fewer than {} runs in {} of {} cells, none in {}", max_runs,
                              fewer, expected, missing));
}

/// Which metrics the page shows, when these are not those of the test set.
void note_set(const std::optional<GridRequest>& request, Notes& notes) {
  if (!request || request->set == EvaluationSet::kTest) return;
  notes.emplace_back(
      "all results are validation metrics, as requested last for this folder, and none are test metrics: the "
      "validation set selects epochs and settings, so these results are too high on average");
}

}  // namespace

ordered_json grid_payload(const fs::path& folder, const HtmlReportOptions& options, Notes& notes) {
  const auto [request, results, about_runs] = requested_runs(folder);
  if (results.empty()) {
    for (const std::string& note : about_runs) throw UserError(folder / "results.jsonl", "{}", note);
    throw UserError(folder / "results.jsonl", "contains no finished run yet [wait until the first run is finished]");
  }
  const EvaluationSet set = request ? request->set : EvaluationSet::kTest;
  note_set(request, notes);
  notes.insert(notes.end(), about_runs.begin(), about_runs.end());
  std::vector<std::string> models;
  ordered_json headings = ordered_json::array(), cells = ordered_json::array(), runs = ordered_json::array();
  ordered_json settings = ordered_json::object();
  bool some_unknown = false;
  for (const GridResult& run : results) {
    add_once(models, run.model);
    runs.push_back(run_json(run, set, folder, options));
    const ordered_json heading = {{"dataset", run.dataset}, {"task", run.task}, {"metric", run.metric}};
    if (std::find(headings.begin(), headings.end(), heading) == headings.end()) headings.push_back(heading);
    const fs::path file = grid_settings_file(folder, run.settings);
    const bool known = fs::exists(file);
    some_unknown = some_unknown || !known;
    if (known && !settings.contains(run.settings)) settings[run.settings] = settings_list(file);
  }
  if (some_unknown) notes.push_back("the settings of some runs are not recorded: their settings/*.json are missing");
  std::vector<ResultCell> summaries = summarise_grid(results, set);
  mark_other_protocols(summaries, folder, results);
  if (set == EvaluationSet::kTest) add_published_results(summaries, folder, results);
  for (const ResultCell& cell : summaries) cells.push_back(cell_json(cell));
  add_published_rows(summaries, models, cells);
  std::vector<std::string> sentences = best_model_lines(summaries);
  for (std::string& note : published_notes(summaries)) sentences.push_back(std::move(note));
  note_missing_runs(summaries, request, notes);
  return {{"folder", folder.string()},
          {"command", request ? request->command : ""},
          {"set", set == EvaluationSet::kTest ? "test" : "validation"},
          {"columns", headings},
          {"models", models},
          {"cells", cells},
          {"runs", runs},
          {"comparisons", sentences},
          {"differences", differences_json(results, set)},
          {"settings", settings}};
}

}  // namespace gir::html
