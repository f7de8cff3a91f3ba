#include "gir/report/grid_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/runs/run_config.h"
#include "gir/runs/statistics.h"

namespace gir {
namespace {

/// Whether two runs belong to one cell of the table.
bool same_cell(const GridResult& a, const GridResult& b) {
  return a.dataset == b.dataset && a.task == b.task && a.model == b.model;
}

constexpr double kLevel = 0.05;  ///< of significance

/// Whether the settings of runs request the split that comes with the data; false if they are missing or damaged.
bool is_on_official_split(const std::filesystem::path& settings) {
  try {
    const SettingValues values = read_settings(settings);
    const auto found = values.find("official-split");
    return found != values.end() && found->second == "true";
  } catch (const UserError&) {
    return false;
  }
}

/// Whether runs with these settings can be compared with the paper's results; true if they are missing or damaged.
bool is_as_in_paper(const std::filesystem::path& settings, const std::string& dataset) {
  RunConfig config;
  try {
    for (const auto& [name, value] : read_settings(settings)) set(config, name, value);
  } catch (const UserError&) {
    return true;
  }
  const auto* entry = Registry<DatasetEntry>::find(dataset);
  const bool official = entry != nullptr && entry->official_split;
  const bool drawn_alike =
      !config.split_shares || shares_text(*config.split_shares) == shares_text(default_shares(parse_task(config.task)));
  return config.data.split_from.empty() && drawn_alike && config.official_split == official &&
         config.select_by.empty() && !config.refit && config.messages == MessageEdges::kTrain;
}

/// A run of the cell; null if there is none.
const GridResult* run_of(const ResultCell& cell, const std::vector<GridResult>& results) {
  const auto run = std::find_if(results.begin(), results.end(), [&](const GridResult& each) {
    return each.dataset == cell.dataset && each.task == cell.task && each.model == cell.model;
  });
  return run == results.end() ? nullptr : &*run;
}

/// EC in percent of one fused model on one data set; empty for other models.
std::vector<double> complementarities(const std::vector<GridResult>& results, const GridResult& like) {
  std::vector<double> values;
  for (const GridResult& result : results) {
    if (same_cell(result, like) && result.complementarity) values.push_back(100 * *result.complementarity);
  }
  return values;
}

/// The cell of the results of one model on one data set and task.
ResultCell cell_of(const std::vector<GridResult>& results, const GridResult& like, EvaluationSet set) {
  std::vector<double> values;
  for (const GridResult& result : results) {
    if (same_cell(result, like) && result.is_defined(set)) values.push_back(100 * result.value(set));
  }
  const Summary summary = summarise(values);
  const std::vector<double> ec = complementarities(results, like);
  return {.dataset = like.dataset,
          .task = like.task,
          .model = like.model,
          .metric = like.metric,
          .mean = summary.mean,
          .sd = summary.sd,
          .runs = summary.runs,
          .of_validation = set == EvaluationSet::kValid,
          .complementarity = ec.empty() || set == EvaluationSet::kValid ? std::nullopt : std::optional(summarise(ec))};
}

/// Whether two cells are in one column of the table. A data set may have several tasks.
bool same_column(const ResultCell& a, const ResultCell& b) { return a.dataset == b.dataset && a.task == b.task; }

/// The cell with the highest mean in the column of `cell`, the first one of equal ones.
const ResultCell& best_of_column(const std::vector<ResultCell>& cells, const ResultCell& cell) {
  const ResultCell* best = &cell;
  for (const ResultCell& other : cells) {
    if (!same_column(other, cell) || other.runs == 0) continue;
    if (best->runs == 0 || other.mean > best->mean || (other.mean == best->mean && &other < best)) best = &other;
  }
  return *best;
}

/// Best minus `model`, whichever order the comparison has.
std::optional<BestComparison> to_best(const std::vector<PairedComparison>& comparisons, const ResultCell& best,
                                      const ResultCell& cell) {
  for (const PairedComparison& each : comparisons) {
    if (each.dataset != cell.dataset || each.task != cell.task || each.test.pairs < 2) continue;
    const bool straight = each.models == ModelPair(best.model, cell.model);
    if (!straight && each.models != ModelPair(cell.model, best.model)) continue;
    BestComparison found{.best = best.model, .test = each.test, .adjusted_p = each.adjusted_p, .tests = each.tests};
    if (!straight) {
      found.test.mean_difference = 0 - found.test.mean_difference;
      found.test.t = 0 - found.test.t;
    }
    return found;
  }
  return std::nullopt;
}

std::string p_text(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.2g}", p); }

/// "gcn (+12.3 points, p < 0.001) and mlp (...)".
std::string model_list(const std::vector<const ResultCell*>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const BestComparison& comparison = *cells[i]->to_best;
    text += i == 0 ? "" : i + 1 < cells.size() ? ", " : " and ";
    text += fmt::format("{} ({:+.1f} points, {})", cells[i]->model, comparison.test.mean_difference,
                        p_text(comparison.adjusted_p));
  }
  return text;
}

/// The line of the column that the first cell of `column` belongs to; empty without comparisons.
std::string best_model_line(const std::vector<const ResultCell*>& column) {
  std::vector<const ResultCell*> worse, similar;
  for (const ResultCell* cell : column) {
    if (cell->to_best) (cell->to_best->adjusted_p < kLevel ? worse : similar).push_back(cell);
  }
  if (worse.empty() && similar.empty()) return "";
  const ResultCell& any = worse.empty() ? *similar.front() : *worse.front();
  std::string text = fmt::format("{} {}: {} has the highest mean", any.dataset, any.task, any.to_best->best);
  if (any.metric != default_metric(any.task)) text += " " + any.metric;
  if (!worse.empty()) text += ", significantly higher than " + model_list(worse);
  if (!similar.empty())
    text += fmt::format("{}not significantly higher than {}", worse.empty() ? ", " : "; ", model_list(similar));
  return text;
}

}  // namespace

std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results, EvaluationSet set) {
  std::vector<ResultCell> cells;
  for (const GridResult& result : results) {
    const bool known = std::any_of(cells.begin(), cells.end(), [&](const ResultCell& cell) {
      return cell.dataset == result.dataset && cell.task == result.task && cell.model == result.model;
    });
    if (!known) cells.push_back(cell_of(results, result, set));
  }
  const std::vector<PairedComparison> comparisons = paired_comparisons(results, set);
  for (ResultCell& cell : cells) cell.to_best = to_best(comparisons, best_of_column(cells, cell), cell);
  return cells;
}

std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results, const GridRequest& request) {
  const std::vector<ResultCell> found = summarise_grid(results, request.set);
  std::vector<ResultCell> cells;
  for (const GridCell& wanted : request.cells) {
    const auto place = std::find_if(found.begin(), found.end(), [&](const ResultCell& cell) {
      return cell.dataset == wanted.dataset && cell.model == wanted.model;
    });
    if (place != found.end()) {
      cells.push_back(*place);
    } else if (wanted.failed > 0) {
      cells.push_back({.dataset = wanted.dataset,
                       .task = wanted.task,
                       .model = wanted.model,
                       .metric = "",
                       .failure = wanted.failure});
    }
  }
  return cells;
}

void add_published_results(std::vector<ResultCell>& cells, const std::filesystem::path& folder,
                           const std::vector<GridResult>& results) {
  for (ResultCell& cell : cells) {
    const GridResult* run = run_of(cell, results);
    if (run == nullptr || !is_on_official_split(grid_settings_file(folder, run->settings))) continue;
    cell.published = published_link_results(cell.dataset, cell.metric);
  }
}

void mark_other_protocols(std::vector<ResultCell>& cells, const std::filesystem::path& folder,
                          const std::vector<GridResult>& results) {
  for (ResultCell& cell : cells) {
    const GridResult* run = run_of(cell, results);
    if (run != nullptr) cell.as_in_paper = is_as_in_paper(grid_settings_file(folder, run->settings), cell.dataset);
  }
}

std::vector<GridResult> by_average_precision(std::vector<GridResult> results) {
  std::erase_if(results, [](const GridResult& run) { return !run.average_precision; });
  for (GridResult& run : results) {
    run.metric = "average_precision";
    run.test = *run.average_precision;
  }
  return results;
}

std::vector<std::string> best_model_lines(const std::vector<ResultCell>& cells) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<const ResultCell*> column;
    for (const ResultCell& cell : cells) {
      if (same_column(cell, cells[i])) column.push_back(&cell);
    }
    if (column.front() != &cells[i]) continue;
    if (std::string line = best_model_line(column); !line.empty()) lines.push_back(std::move(line));
  }
  if (lines.empty()) return {};
  lines.emplace_back(
      "paired t-tests over runs of the same split and seed, p adjusted by Holm's method for all pairs of models on a "
      "data set, significance level 0.05; runs on one split are not independent, so p is only indicative");
  return lines;
}

std::vector<std::string> undefined_lines(const std::vector<GridResult>& results, EvaluationSet set) {
  std::vector<std::string> lines;
  for (const GridResult& run : results) {
    const auto in_cell = [&](const GridResult& each) { return same_cell(each, run) && !each.is_defined(set); };
    if (run.is_defined(set) || &*std::find_if(results.begin(), results.end(), in_cell) != &run) continue;
    const auto count = std::count_if(results.begin(), results.end(), in_cell);
    lines.push_back(fmt::format("{} on {}: {} is undefined in {} run{}, which the table does not include", run.model,
                                run.dataset, run.metric, count, count == 1 ? "" : "s"));
  }
  return lines;
}

std::vector<std::string> warning_lines(const std::vector<GridResult>& results) {
  std::vector<std::string> lines;
  for (const GridResult& run : results) {
    if (run.warnings.empty()) continue;
    const auto in_cell = [&](const GridResult& each) { return same_cell(each, run) && !each.warnings.empty(); };
    if (&*std::find_if(results.begin(), results.end(), in_cell) != &run) continue;
    const auto count = std::count_if(results.begin(), results.end(), in_cell);
    lines.push_back(fmt::format("warning: {} on {}, {} run{}: {}", run.model, run.dataset, count, count == 1 ? "" : "s",
                                join(run.warnings, "; ")));
  }
  return lines;
}

}  // namespace gir
