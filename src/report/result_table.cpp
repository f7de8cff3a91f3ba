#include "gir/report/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "gir/core/error.h"
#include "gir/core/file.h"

namespace gir {
namespace {

/// Values of `part` over all cells, each once, in the order in which they first occur.
template <typename Part>
std::vector<std::string> distinct(const std::vector<ResultCell>& cells, const Part& part) {
  std::vector<std::string> values;
  for (const ResultCell& cell : cells) {
    if (std::find(values.begin(), values.end(), part(cell)) == values.end()) values.push_back(part(cell));
  }
  return values;
}

const char* mark(Standing standing) {
  switch (standing) {
    case Standing::kAbove:
      return "↑";
    case Standing::kWithin:
      return "≈";
    case Standing::kBelow:
      return "↓";
  }
  throw InternalError("a standing without a mark");
}

std::string figure_text(double mean, double sd) { return fmt::format("{:.1f} ± {:.1f}", mean, sd); }

const ResultCell* find_cell(const std::vector<ResultCell>& cells, const std::string& dataset,
                            const std::string& model) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const ResultCell& cell) {
    return cell.dataset == dataset && cell.model == model;
  });
  return found == cells.end() ? nullptr : &*found;
}

/// Marks the largest mean of a column; equal ones all.
void mark_best(const std::vector<ResultCell>& cells, const std::string& dataset, const std::vector<std::string>& models,
               std::size_t column, Table& table) {
  double best = -1;
  for (const ResultCell& cell : cells) {
    if (cell.dataset == dataset) best = std::max(best, cell.mean);
  }
  for (std::size_t row = 0; row < models.size(); ++row) {
    const ResultCell* cell = find_cell(cells, dataset, models[row]);
    if (cell != nullptr && cell->mean == best) table.bold.emplace(row, column);
  }
}

}  // namespace

Standing standing(double mean, const PublishedFigure& published) {
  if (mean > published.mean + published.sd) return Standing::kAbove;
  return mean < published.mean - published.sd ? Standing::kBelow : Standing::kWithin;
}

std::vector<std::string> paper_notes(const std::vector<ResultCell>& cells) {
  std::map<Standing, int> counts;
  for (const ResultCell& cell : cells) {
    if (const auto figure = paper_figure(cell.dataset, cell.task, cell.model)) ++counts[standing(cell.mean, *figure)];
  }
  return {
      fmt::format("against the paper's means: {} cells ↑ above by more than its standard deviation, {} ≈ within it, {} "
                  "↓ below",
                  counts[Standing::kAbove], counts[Standing::kWithin], counts[Standing::kBelow])};
}

Table result_table(const std::vector<ResultCell>& cells, bool paper) {
  const auto datasets = distinct(cells, [](const ResultCell& cell) { return cell.dataset; });
  const auto models = distinct(cells, [](const ResultCell& cell) { return cell.model; });
  Table table{.columns = {{"model"}}, .rows = {}};
  for (const std::string& model : models) table.rows.push_back({model});
  for (const std::string& dataset : datasets) {
    const auto first =
        std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.dataset == dataset; });
    mark_best(cells, dataset, models, table.columns.size(), table);
    table.columns.push_back({fmt::format("{} {}", dataset, first->task), true});
    const bool published = paper && std::any_of(models.begin(), models.end(), [&](const auto& model) {
                             return paper_figure(dataset, first->task, model).has_value();
                           });
    if (published) table.columns.push_back({"paper", true});
    for (std::size_t row = 0; row < models.size(); ++row) {
      const ResultCell* cell = find_cell(cells, dataset, models[row]);
      const auto figure = paper_figure(dataset, first->task, models[row]);
      std::string text = cell == nullptr ? "" : figure_text(cell->mean, cell->sd);
      if (paper && cell != nullptr && figure) text += fmt::format(" {}", mark(standing(cell->mean, *figure)));
      table.rows[row].push_back(text);
      if (!published) continue;
      table.rows[row].push_back(figure ? figure_text(figure->mean, figure->sd) : "");
    }
  }
  return table;
}

std::string result_table_json(const std::vector<ResultCell>& cells) {
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (const ResultCell& cell : cells) {
    const auto figure = paper_figure(cell.dataset, cell.task, cell.model);
    document.push_back({{"dataset", cell.dataset},
                        {"task", cell.task},
                        {"model", cell.model},
                        {"metric", cell.metric},
                        {"mean", cell.mean},
                        {"sd", cell.sd},
                        {"runs", cell.runs},
                        {"paper_mean", figure ? nlohmann::ordered_json(figure->mean) : nlohmann::ordered_json()},
                        {"paper_sd", figure ? nlohmann::ordered_json(figure->sd) : nlohmann::ordered_json()}});
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void write_result_tables(const std::filesystem::path& folder, const std::string& stem,
                         const std::vector<ResultCell>& cells, bool paper, const std::vector<std::string>& notes) {
  const Table table = result_table(cells, paper);
  std::string markdown = render(table, OutputFormat::kMarkdown);
  for (const std::string& note : notes) markdown += "\n" + note + "\n";
  write_file(folder / (stem + ".md"), markdown);
  write_file(folder / (stem + ".csv"), render(table, OutputFormat::kCsv));
  write_file(folder / (stem + ".tex"), render(table, OutputFormat::kTex));
  write_file(folder / (stem + ".json"), result_table_json(cells));
}

}  // namespace gir
