#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "gir/core/text.h"
#include "gir/report/result_table.h"

namespace gir {
namespace {

constexpr std::array<std::string_view, 8> kDatasets = {"links/USAir",    "links/NS",    "links/PB",     "links/Yeast",
                                                       "links/Celegans", "links/Power", "links/Router", "links/Ecoli"};

struct PublishedRow {
  std::string_view method;
  std::string_view metric;
  std::string_view source;
  std::array<double, kDatasets.size()> means;
};

/// Means in percent over ten splits with 90 % of the edges observed.
constexpr std::array<PublishedRow, 2> kRows = {{
    {"SEAL",
     "roc_auc",
     "Zhang and Chen, Link Prediction Based on Graph Neural Networks, NeurIPS 2018",
     {96.62, 98.85, 94.72, 97.91, 90.30, 87.61, 96.38, 97.64}},
    {"WalkPool",
     "roc_auc",
     "Pan, Shi and Dokmanić, Neural Link Prediction with Walk Pooling, ICLR 2022",
     {98.68, 98.95, 95.60, 98.37, 92.79, 92.56, 97.27, 98.58}},
}};

/// "above SEAL on 8 of 8 graphs, +1.85 points on average"; empty without a graph that has both results.
std::string comparison_text(const std::vector<ResultCell>& cells, const std::string& model, const std::string& method) {
  std::vector<double> leads;
  for (const ResultCell& cell : cells) {
    if (cell.model != model || cell.runs == 0) continue;
    for (const PublishedMean& each : cell.published) {
      if (each.method == method) leads.push_back(cell.mean - each.mean);
    }
  }
  if (leads.empty()) return "";
  const auto above = std::count_if(leads.begin(), leads.end(), [](double lead) { return lead > 0; });
  return fmt::format("above {} on {} of {} graphs, {:+.2f} points on average", method, above, leads.size(),
                     std::accumulate(leads.begin(), leads.end(), 0.0) / static_cast<double>(leads.size()));
}

template <typename Items, typename Item>
void add_once(Items& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
}

}  // namespace

std::vector<PublishedMean> published_link_results(std::string_view dataset, std::string_view metric) {
  const auto column = std::find(kDatasets.begin(), kDatasets.end(), dataset);
  if (column == kDatasets.end()) return {};
  std::vector<PublishedMean> results;
  for (const PublishedRow& row : kRows) {
    if (row.metric != metric) continue;
    results.push_back({.method = std::string(row.method),
                       .mean = row.means[static_cast<std::size_t>(column - kDatasets.begin())],
                       .source = std::string(row.source)});
  }
  return results;
}

std::vector<std::string> published_methods(const std::vector<ResultCell>& cells) {
  std::vector<std::string> methods;
  for (const ResultCell& cell : cells) {
    for (const PublishedMean& each : cell.published) add_once(methods, each.method);
  }
  return methods;
}

std::string published_row(const std::string& method) { return method + " (published)"; }

std::vector<std::string> published_notes(const std::vector<ResultCell>& cells) {
  const std::vector<std::string> methods = published_methods(cells);
  if (methods.empty()) return {};
  std::vector<std::string> sources, models, notes;
  for (const ResultCell& cell : cells) {
    add_once(models, cell.model);
    for (const PublishedMean& each : cell.published) add_once(sources, fmt::format("{}: {}", each.method, each.source));
  }
  notes.push_back(fmt::format("published results are means over ten splits with 90 % of the edges observed ({})",
                              join(sources, "; ")));
  for (const std::string& model : models) {
    std::vector<std::string> texts;
    for (const std::string& method : methods) {
      if (std::string text = comparison_text(cells, model, method); !text.empty()) texts.push_back(std::move(text));
    }
    if (!texts.empty()) notes.push_back(fmt::format("{} is {}", model, join(texts, "; ")));
  }
  return notes;
}

}  // namespace gir
