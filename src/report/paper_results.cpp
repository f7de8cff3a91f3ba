#include <algorithm>
#include <array>

#include "gir/data/task.h"
#include "gir/report/result_table.h"

namespace gir {
namespace {

struct PaperColumn {
  std::string_view dataset;
  std::string_view task;
};

constexpr std::array<PaperColumn, 6> kColumns = {
    {{"email", "npc"}, {"europe", "nc"}, {"usa", "nc"}, {"celegans", "lp"}, {"ns", "lp"}, {"pb", "lp"}}};

struct PaperRow {
  std::string_view model;
  std::array<PublishedResult, kColumns.size()> results;
};

/// The paper's table of position-aware tasks: mean and standard deviation in percent.
constexpr std::array<PaperRow, 11> kRows = {{
    {"gcn", {{{51.2, 1.4}, {21.7, 2.5}, {23.7, 2.3}, {48.7, 3.8}, {55.0, 5.7}, {34.4, 4.1}}}},
    {"gcn-a", {{{91.8, 1.0}, {32.7, 6.4}, {56.1, 7.0}, {79.9, 2.5}, {78.2, 5.1}, {78.0, 0.9}}}},
    {"gcn-o", {{{97.4, 0.4}, {32.1, 5.3}, {52.4, 4.1}, {84.3, 2.2}, {94.5, 0.6}, {90.0, 5.2}}}},
    {"pgnn-f", {{{54.1, 3.6}, {50.2, 4.4}, {57.7, 2.7}, {69.1, 5.4}, {87.8, 5.4}, {87.1, 0.7}}}},
    {"pgnn-e", {{{54.1, 4.4}, {49.9, 3.8}, {56.8, 2.8}, {70.2, 5.1}, {92.6, 3.1}, {87.2, 0.4}}}},
    {"agnn-f", {{{90.9, 1.0}, {47.4, 6.6}, {59.5, 4.1}, {80.7, 7.1}, {91.6, 0.7}, {91.5, 5.3}}}},
    {"agnn-e", {{{75.8, 3.7}, {46.7, 5.9}, {57.3, 3.7}, {74.5, 4.7}, {92.1, 0.8}, {88.3, 12.8}}}},
    {"gir", {{{50.2, 0.7}, {30.8, 4.5}, {29.9, 2.6}, {55.5, 2.7}, {78.6, 4.7}, {59.7, 4.1}}}},
    {"gir-a", {{{96.7, 0.5}, {52.4, 6.3}, {60.4, 4.7}, {86.5, 2.1}, {91.4, 1.1}, {94.1, 0.3}}}},
    {"gir-o", {{{99.1, 0.2}, {36.4, 5.0}, {52.8, 6.0}, {88.4, 2.1}, {89.6, 2.6}, {94.4, 0.3}}}},
    {"gir-mix", {{{82.9, 3.7}, {44.1, 5.1}, {56.7, 4.5}, {78.8, 8.3}, {90.5, 1.3}, {92.0, 0.4}}}},
}};

struct FusionRow {
  std::string_view model;
  PublishedResult accuracy;
  std::optional<PublishedResult> complementarity = std::nullopt;
};

constexpr std::string_view kFusionDataset = "ogbn-arxiv";

/// The paper's table of fusions on ogbn-arxiv: mean and standard deviation in percent.
constexpr std::array<FusionRow, 9> kFusionRows = {{
    {"gcn-3", {72.22, 0.14}},
    {"gcn-5", {72.29, 0.19}},
    {"gir-5", {72.14, 0.23}},
    {"gcn-gcn", {72.52, 0.12}, {{6.60, 0.14}}},
    {"gcn-gir", {72.72, 0.18}, {{9.94, 0.14}}},
    {"gcn-gir-nf", {72.21, 0.13}, {{11.91, 0.60}}},
    {"gcn-gir-nfwr", {72.64, 0.17}, {{9.94, 0.14}}},
    {"gcn-gir-j", {71.70, 0.19}, {{16.58, 0.45}}},
    {"gcn-gir-ja", {72.48, 0.10}, {{10.90, 0.11}}},
}};

const FusionRow* fusion_row(std::string_view dataset, std::string_view task, std::string_view model) {
  if (dataset != kFusionDataset || task != "nc") return nullptr;
  const auto row =
      std::find_if(kFusionRows.begin(), kFusionRows.end(), [&](const FusionRow& each) { return each.model == model; });
  return row == kFusionRows.end() ? nullptr : &*row;
}

}  // namespace

std::optional<PublishedResult> paper_complementarity(std::string_view dataset, std::string_view task,
                                                     std::string_view model) {
  const FusionRow* row = fusion_row(dataset, task, model);
  return row == nullptr ? std::nullopt : row->complementarity;
}

std::optional<PublishedResult> paper_result(std::string_view dataset, std::string_view task, std::string_view model) {
  if (const FusionRow* fusion = fusion_row(dataset, task, model)) return fusion->accuracy;
  const auto column = std::find_if(kColumns.begin(), kColumns.end(), [&](const PaperColumn& each) {
    return each.dataset == dataset && each.task == task;
  });
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const PaperRow& each) { return each.model == model; });
  if (column == kColumns.end() || row == kRows.end()) return std::nullopt;
  return row->results[static_cast<std::size_t>(column - kColumns.begin())];
}

std::optional<PublishedResult> paper_result(const ResultCell& cell) {
  const bool failed = cell.runs == 0;  // without a metric
  if (cell.of_validation || !cell.as_in_paper || (!failed && cell.metric != default_metric(cell.task)))
    return std::nullopt;
  return paper_result(cell.dataset, cell.task, cell.model);
}

std::optional<PublishedResult> paper_complementarity(const ResultCell& cell) {
  return paper_result(cell) ? paper_complementarity(cell.dataset, cell.task, cell.model) : std::nullopt;
}

}  // namespace gir
