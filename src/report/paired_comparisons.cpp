#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gir/report/grid_report.h"
#include "gir/runs/statistics.h"

namespace gir {
namespace {

/// Metrics in percent of one model, by split and seed.
using RunMetrics = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

/// The models of one data set and task, in the order of the results.
struct Column {
  std::string dataset;
  std::string task;
  std::vector<std::string> models;
  std::map<std::string, RunMetrics> metrics;
};

std::vector<Column> columns_of(const std::vector<GridResult>& results, EvaluationSet set) {
  std::vector<Column> columns;
  for (const GridResult& run : results) {
    auto column = std::find_if(columns.begin(), columns.end(), [&](const Column& each) {
      return each.dataset == run.dataset && each.task == run.task;
    });
    if (column == columns.end()) {
      columns.push_back({.dataset = run.dataset, .task = run.task, .models = {}, .metrics = {}});
      column = std::prev(columns.end());
    }
    if (!column->metrics.contains(run.model)) column->models.push_back(run.model);
    RunMetrics& metrics = column->metrics[run.model];
    if (run.is_defined(set)) metrics[{run.split, run.seed}] = 100 * run.value(set);
  }
  return columns;
}

std::vector<ModelPair> all_pairs(const std::vector<std::string>& models) {
  std::vector<ModelPair> pairs;
  for (std::size_t a = 0; a < models.size(); ++a) {
    for (std::size_t b = a + 1; b < models.size(); ++b) pairs.emplace_back(models[a], models[b]);
  }
  return pairs;
}

PairedComparison compare(const Column& column, const ModelPair& models) {
  std::vector<double> first, second, differences;
  const auto others = column.metrics.find(models.second);
  for (const auto& [key, value] : column.metrics.at(models.first)) {
    const auto found = others->second.find(key);
    if (found == others->second.end()) continue;
    first.push_back(value);
    second.push_back(found->second);
    differences.push_back(value - found->second);
  }
  return {.dataset = column.dataset,
          .task = column.task,
          .models = models,
          .test = paired_t_test(first, second),
          .sd = summarise(differences).sd};
}

/// Adjusts the p-values of one column.
void adjust(std::vector<PairedComparison>& comparisons) {
  std::vector<double> values;
  for (const PairedComparison& each : comparisons) {
    if (each.test.pairs > 1) values.push_back(each.test.p);
  }
  const std::vector<double> adjusted = holm_adjusted(values);
  auto next = adjusted.begin();
  for (PairedComparison& each : comparisons) {
    if (each.test.pairs > 1) each.adjusted_p = *next++;
    each.tests = std::ssize(values);
  }
}

}  // namespace

std::vector<PairedComparison> paired_comparisons(const std::vector<GridResult>& results, EvaluationSet set,
                                                 const std::vector<ModelPair>& pairs) {
  std::vector<PairedComparison> all;
  for (const Column& column : columns_of(results, set)) {
    std::vector<PairedComparison> found;
    for (const ModelPair& models : pairs.empty() ? all_pairs(column.models) : pairs) {
      if (!column.metrics.contains(models.first) || !column.metrics.contains(models.second)) continue;
      PairedComparison comparison = compare(column, models);
      if (comparison.test.pairs > 0) found.push_back(std::move(comparison));
    }
    adjust(found);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<std::string> comparison_lines(const std::vector<PairedComparison>& comparisons) {
  std::vector<std::string> lines;
  for (const PairedComparison& each : comparisons) {
    if (each.test.pairs < 2) continue;
    lines.push_back(fmt::format(
        "{}: {} minus {} is {:+.2f} points over {} paired runs (t = {:.2f}, p = {:.2g}; {:.2g} after Holm's correction "
        "for {} tests)",
        each.dataset, each.models.first, each.models.second, each.test.mean_difference, each.test.pairs, each.test.t,
        each.test.p, each.adjusted_p, each.tests));
  }
  return lines;
}

}  // namespace gir
