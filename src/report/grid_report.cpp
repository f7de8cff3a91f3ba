#include "gir/report/grid_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gir/runs/statistics.h"

namespace gir {
namespace {

/// Metrics in percent of one model on one data set, in the order of the results.
std::vector<double> percents(const std::vector<GridResult>& results, const std::string& dataset,
                             const std::string& model, EvaluationSet set) {
  std::vector<double> values;
  for (const GridResult& result : results) {
    if (result.dataset != dataset || result.model != model) continue;
    values.push_back(100 * result.value(set));
  }
  return values;
}

/// EC in percent of one fused model on one data set; empty for other models.
std::vector<double> complementarities(const std::vector<GridResult>& results, const std::string& dataset,
                                      const std::string& model) {
  std::vector<double> values;
  for (const GridResult& result : results) {
    if (result.dataset != dataset || result.model != model || !result.complementarity) continue;
    values.push_back(100 * *result.complementarity);
  }
  return values;
}

}  // namespace

std::vector<ResultCell> summarise_grid(const std::vector<GridResult>& results, EvaluationSet set) {
  std::vector<ResultCell> cells;
  for (const GridResult& result : results) {
    const bool known = std::any_of(cells.begin(), cells.end(), [&](const ResultCell& cell) {
      return cell.dataset == result.dataset && cell.model == result.model;
    });
    if (known) continue;
    const Summary summary = summarise(percents(results, result.dataset, result.model, set));
    const std::vector<double> ec = complementarities(results, result.dataset, result.model);
    cells.push_back(
        {.dataset = result.dataset,
         .task = result.task,
         .model = result.model,
         .metric = result.metric,
         .mean = summary.mean,
         .sd = summary.sd,
         .runs = summary.runs,
         .complementarity = ec.empty() || set == EvaluationSet::kValid ? std::nullopt : std::optional(summarise(ec))});
  }
  return cells;
}

std::vector<ModelPair> first_two_models(const std::vector<GridResult>& results) {
  for (const GridResult& result : results) {
    if (result.model != results.front().model) return {{results.front().model, result.model}};
  }
  return {};
}

std::vector<std::string> paired_comparisons(const std::vector<GridResult>& results, const std::vector<ModelPair>& pairs,
                                            EvaluationSet set) {
  std::vector<std::string> datasets;
  for (const GridResult& result : results) {
    if (std::find(datasets.begin(), datasets.end(), result.dataset) == datasets.end()) {
      datasets.push_back(result.dataset);
    }
  }
  std::vector<std::string> lines;
  for (const std::string& dataset : datasets) {
    for (const auto& [first_model, second_model] : pairs) {
      const auto first = percents(results, dataset, first_model, set);
      const auto second = percents(results, dataset, second_model, set);
      if (first.size() != second.size() || first.size() < 2) continue;
      const PairedTest test = paired_t_test(first, second);
      lines.push_back(fmt::format("{}: {} minus {} is {:+.2f} points over {} paired runs (t = {:.2f}, p = {:.2g})",
                                  dataset, first_model, second_model, test.mean_difference, test.pairs, test.t,
                                  test.p));
    }
  }
  return lines;
}

}  // namespace gir
