#include <algorithm>
#include <nlohmann/json.hpp>

#include "gir/core/file.h"
#include "gir/io/gzip.h"
#include "grid_plan.h"
#include "json_fields.h"

namespace gir {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kTest = "test";
constexpr const char* kValidation = "validation";

/// The fields of a cell of grid.json, in their order.
template <typename Record, typename Fields>
void list_fields(Record& cell, Fields& fields) {
  fields("dataset", cell.dataset);
  fields("task", cell.task);
  fields("model", cell.model);
  fields("settings", cell.settings);
  fields("splits", cell.splits);
  fields("seeds", cell.seeds);
  fields.optional("failed", cell.failed, std::int64_t{0});
  fields.optional("failure", cell.failure, std::string());
}

std::filesystem::path file_of(const std::filesystem::path& folder) { return folder / "grid.json"; }

/// The values of a member of all cells, each once and in order.
std::vector<std::string> distinct(const std::vector<GridCell>& cells, std::string GridCell::*member) {
  std::vector<std::string> names;
  for (const GridCell& cell : cells) {
    if (std::find(names.begin(), names.end(), cell.*member) == names.end()) names.push_back(cell.*member);
  }
  return names;
}

}  // namespace

bool GridCell::contains(const GridResult& run) const {
  return run.dataset == dataset && run.model == model && run.settings == settings && run.split < splits &&
         run.seed < seeds;
}

std::vector<std::string> GridRequest::datasets() const { return distinct(cells, &GridCell::dataset); }
std::vector<std::string> GridRequest::models() const { return distinct(cells, &GridCell::model); }

bool GridRequest::contains(const GridResult& run) const {
  return std::any_of(cells.begin(), cells.end(), [&](const GridCell& cell) { return cell.contains(run); });
}

void write_grid_request(const std::filesystem::path& folder, const GridRequest& request) {
  ordered_json cells = ordered_json::array();
  for (const GridCell& cell : request.cells) {
    FieldWriter fields;
    list_fields(cell, fields);
    cells.push_back(fields.document());
  }
  const ordered_json document = {{"command", request.command},
                                 {"metrics", request.set == EvaluationSet::kTest ? kTest : kValidation},
                                 {"datasets", request.datasets()},
                                 {"models", request.models()},
                                 {"cells", cells}};
  write_file(file_of(folder), document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::optional<GridRequest> read_grid_request(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(file_of(folder))) return std::nullopt;
  const ordered_json document =
      ordered_json::parse(TextFile(file_of(folder)).text(), nullptr, /*allow_exceptions=*/false);
  GridRequest request;
  try {
    request.command = document.at("command");
    request.set = document.at("metrics") == kTest ? EvaluationSet::kTest : EvaluationSet::kValid;
    for (const ordered_json& cell : document.at("cells")) {
      FieldReader fields(cell, /*strict=*/true);
      list_fields(request.cells.emplace_back(), fields);
    }
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return request;
}

}  // namespace gir
