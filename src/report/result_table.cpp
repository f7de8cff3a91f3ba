#include "gir/report/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/data/task.h"

namespace gir {
namespace {

using nlohmann::ordered_json;

/// The distinct values of `member` over all cells, in the order in which they first occur.
template <typename Member>
std::vector<std::string> distinct(const std::vector<ResultCell>& cells, const Member& member) {
  std::vector<std::string> values;
  for (const ResultCell& cell : cells) {
    if (std::find(values.begin(), values.end(), member(cell)) == values.end()) values.push_back(member(cell));
  }
  return values;
}

const char* mark(PublishedComparison standing) {
  switch (standing) {
    case PublishedComparison::kAbove:
      return "↑";
    case PublishedComparison::kWithin:
      return "≈";
    case PublishedComparison::kBelow:
      return "↓";
  }
  throw InternalError("unknown standing");
}

std::string result_text(double mean, double sd, int decimals) {
  return fmt::format("{:.{}f} ± {:.{}f}", mean, decimals, sd, decimals);
}

/// A single run has no standard deviation.
std::string result_text(double mean, double sd, std::int64_t runs, int decimals) {
  return runs < 2 ? fmt::format("{:.{}f}", mean, decimals) : result_text(mean, sd, decimals);
}

std::string result_text(const std::optional<PublishedResult>& published, int decimals) {
  return published ? result_text(published->mean, published->sd, decimals) : "";
}

const ResultCell* find_cell(const std::vector<ResultCell>& cells, const std::string& dataset,
                            const std::string& model) {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const ResultCell& cell) {
    return cell.dataset == dataset && cell.model == model;
  });
  return found == cells.end() ? nullptr : &*found;
}

/// What the rows of a table show: our models, then methods with published results.
struct RowNames {
  std::vector<std::string> models;
  std::vector<std::string> methods;
};

/// The result of a method that is published for a data set; null if there is none.
const PublishedMean* find_published(const std::vector<ResultCell>& cells, const std::string& dataset,
                                    const std::string& method) {
  for (const ResultCell& cell : cells) {
    if (cell.dataset != dataset) continue;
    for (const PublishedMean& each : cell.published) {
      if (each.method == method) return &each;
    }
  }
  return nullptr;
}

/// The columns of one data set.
class DatasetColumns {
 public:
  DatasetColumns(const std::vector<ResultCell>& cells, std::string dataset, const RowNames& rows,
                 const TableStyle& style)
      : dataset_(std::move(dataset)), style_(style) {
    const std::vector<std::string>& models = rows.models;
    for (const std::string& model : models) found_.push_back(find_cell(cells, dataset_, model));
    for (const std::string& method : rows.methods) others_.push_back(find_published(cells, dataset_, method));
    for (std::size_t row = 0; row < models.size(); ++row) {
      if (found_[row] == nullptr) continue;
      task_ = found_[row]->task;
      if (!found_[row]->metric.empty()) metric_ = found_[row]->metric;
    }
    for (std::size_t row = 0; row < models.size(); ++row) {
      const bool shown = style.paper && found_[row] != nullptr;
      published_.push_back(shown ? paper_result(*found_[row]) : std::nullopt);
      published_complementarities_.push_back(shown ? paper_complementarity(*found_[row]) : std::nullopt);
    }
  }

  void add_to(Table& table) const {
    const auto is_there = [](const auto& published) { return published.has_value(); };
    const bool has_paper = std::any_of(published_.begin(), published_.end(), is_there);
    const bool has_ec = std::any_of(found_.begin(), found_.end(),
                                    [](const auto* cell) { return cell != nullptr && cell->complementarity; });
    mark_best(table, table.columns.size());
    add_column(table, heading(), [&](std::size_t row) { return own_result(row); });
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i] == nullptr) continue;
      table.rows[found_.size() + i].back() = fmt::format("{:.{}f}", others_[i]->mean, style_.decimals);
    }
    if (has_paper)
      add_column(table, "paper", [&](std::size_t row) { return result_text(published_[row], style_.decimals); });
    if (!has_ec) return;
    add_column(table, "EC", [&](std::size_t row) { return own_complementarity(row); });
    if (!std::any_of(published_complementarities_.begin(), published_complementarities_.end(), is_there)) return;
    add_column(table, "paper",
               [&](std::size_t row) { return result_text(published_complementarities_[row], style_.decimals); });
  }

 private:
  /// A column with a cell for each model; those of other methods remain empty.
  template <typename Cell>
  void add_column(Table& table, std::string heading, const Cell& cell) const {
    table.columns.push_back({std::move(heading), true});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      table.rows[row].push_back(row < found_.size() ? cell(row) : "");
    }
  }

  /// Marks the largest mean, ours or published; ties are all marked.
  void mark_best(Table& table, std::size_t column) const {
    std::vector<double> means;
    for (const ResultCell* cell : found_) means.push_back(cell != nullptr && cell->runs > 0 ? cell->mean : -1);
    for (const PublishedMean* other : others_) means.push_back(other != nullptr ? other->mean : -1);
    const double best = *std::max_element(means.begin(), means.end());
    for (std::size_t row = 0; row < means.size(); ++row) {
      if (best >= 0 && means[row] == best) table.bold.emplace(row, column);
    }
  }

  std::string heading() const {
    const bool named = style_.metrics && !metric_.empty() && metric_ != default_metric(task_);
    return fmt::format("{} {}{}{}", dataset_, task_, named ? " " : "", named ? metric_ : "");
  }

  std::string own_result(std::size_t row) const {
    const ResultCell* cell = found_[row];
    if (cell == nullptr) return "";
    if (cell->runs == 0) return cell->failure.empty() ? "-" : "failed";
    const std::string text = result_text(cell->mean, cell->sd, cell->runs, style_.decimals);
    return published_[row] ? fmt::format("{} {}", text, mark(compare_with_published(cell->mean, *published_[row])))
                           : text;
  }

  std::string own_complementarity(std::size_t row) const {
    const ResultCell* cell = found_[row];
    if (cell == nullptr || !cell->complementarity) return "";
    const Summary& ec = *cell->complementarity;
    return result_text(ec.mean, ec.sd, ec.runs, style_.decimals);
  }

  std::string dataset_;
  std::string task_;
  std::string metric_;
  TableStyle style_;
  std::vector<const ResultCell*> found_;      ///< one per model; null if there is no result
  std::vector<const PublishedMean*> others_;  ///< one per method with published results; null likewise
  std::vector<std::optional<PublishedResult>> published_;
  std::vector<std::optional<PublishedResult>> published_complementarities_;
};

ordered_json comparison_json(const BestComparison& comparison) {
  return {{"model", comparison.best},     {"mean", comparison.test.mean_difference}, {"t", comparison.test.t},
          {"p", comparison.test.p},       {"p_holm", comparison.adjusted_p},         {"tests", comparison.tests},
          {"runs", comparison.test.pairs}};
}

}  // namespace

PublishedComparison compare_with_published(double mean, const PublishedResult& published) {
  if (mean > published.mean + published.sd) return PublishedComparison::kAbove;
  return mean < published.mean - published.sd ? PublishedComparison::kBelow : PublishedComparison::kWithin;
}

std::vector<std::string> paper_notes(const std::vector<ResultCell>& cells) {
  std::map<PublishedComparison, int> counts;
  for (const ResultCell& cell : cells) {
    if (cell.runs == 0) continue;
    if (const auto published = paper_result(cell)) ++counts[compare_with_published(cell.mean, *published)];
  }
  if (counts.empty()) return {};
  return {fmt::format(
      "compared with the paper: {} cells ↑ above its mean by more than its standard deviation, {} ≈ within it, {} "
      "↓ below",
      counts[PublishedComparison::kAbove], counts[PublishedComparison::kWithin], counts[PublishedComparison::kBelow])};
}

Table result_table(const std::vector<ResultCell>& cells, const TableStyle& style) {
  const RowNames rows{.models = distinct(cells, [](const ResultCell& cell) { return cell.model; }),
                      .methods = published_methods(cells)};
  Table table{.columns = {{"model"}}, .rows = {}};
  for (const std::string& model : rows.models) table.rows.push_back({model});
  for (const std::string& method : rows.methods) table.rows.push_back({published_row(method)});
  if (!rows.methods.empty()) table.rule = rows.models.size();
  for (const std::string& dataset : distinct(cells, [](const ResultCell& cell) { return cell.dataset; })) {
    DatasetColumns(cells, dataset, rows, style).add_to(table);
  }
  return table;
}

std::string result_table_json(const std::vector<ResultCell>& cells) {
  ordered_json document = ordered_json::array();
  const auto add_published = [](ordered_json& line, const std::string& name,
                                const std::optional<PublishedResult>& published) {
    line[name + "_mean"] = published ? ordered_json(published->mean) : ordered_json();
    line[name + "_sd"] = published ? ordered_json(published->sd) : ordered_json();
  };
  for (const ResultCell& cell : cells) {
    ordered_json line = {
        {"dataset", cell.dataset}, {"task", cell.task}, {"model", cell.model}, {"metric", cell.metric}};
    line["mean"] = cell.runs > 0 ? ordered_json(cell.mean) : ordered_json();
    line["sd"] = cell.runs > 0 ? ordered_json(cell.sd) : ordered_json();
    line["runs"] = cell.runs;
    add_published(line, "paper", paper_result(cell));
    if (cell.complementarity) {
      line["ec_mean"] = cell.complementarity->mean;
      line["ec_sd"] = cell.complementarity->sd;
      add_published(line, "paper_ec", paper_complementarity(cell));
    }
    if (cell.to_best) line["below_best"] = comparison_json(*cell.to_best);
    if (!cell.failure.empty()) line["failure"] = cell.failure;
    for (const PublishedMean& each : cell.published) {
      line["published"].push_back({{"method", each.method}, {"mean", each.mean}, {"source", each.source}});
    }
    document.push_back(std::move(line));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void write_result_tables(const std::filesystem::path& folder, const std::string& stem,
                         const std::vector<ResultCell>& cells, const TableStyle& style,
                         const std::vector<std::string>& notes) {
  const Table table = result_table(cells, style);
  std::string markdown = render(table, OutputFormat::kMarkdown);
  for (const std::string& note : notes) markdown += "\n" + note + "\n";
  write_file(folder / (stem + ".md"), markdown);
  write_file(folder / (stem + ".csv"), render(table, OutputFormat::kCsv));
  write_file(folder / (stem + ".tex"), render(table, OutputFormat::kTex));
  write_file(folder / (stem + ".json"), result_table_json(cells));
}

}  // namespace gir
