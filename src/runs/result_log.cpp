#include "result_log.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "appended_lines.h"
#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/io/gzip.h"
#include "json_fields.h"

namespace gir {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The fields of a line of results.jsonl, in their order.
template <typename Record, typename Fields>
void list_fields(Record& result, Fields& fields) {
  fields("dataset", result.dataset);
  fields("task", result.task);
  fields("model", result.model);
  fields("metric", result.metric);
  fields.or_nan("test", result.test);
  fields("valid", result.valid);
  fields("best_epoch", result.best_epoch);
  fields("seed", result.seed);
  fields("split", result.split);
  fields("seconds", result.seconds);
  fields.optional("prepare_seconds", result.prepare_seconds, 0.0);
  fields("bad_epoch", result.bad_epoch);
  fields("version", result.version);
  fields("settings", result.settings);
  fields.optional("device", result.device, std::string("cpu"));
  fields.optional("warnings", result.warnings, std::vector<std::string>());
  fields.optional("average_precision", result.average_precision, std::optional<double>());
  fields.optional("ec", result.complementarity, std::optional<double>());
}

std::string line_of(const GridResult& result) {
  FieldWriter fields;
  list_fields(result, fields);
  return fields.document().dump() + "\n";
}

std::optional<GridResult> parse_line(std::string_view line) {
  const ordered_json document = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  GridResult result;
  FieldReader fields(document, /*strict=*/true);
  try {
    list_fields(result, fields);
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return result;
}

std::vector<GridResult> results_in(const std::filesystem::path& path) {
  std::vector<GridResult> results;
  for (const std::string& line : appended_lines(path)) {
    const auto result = parse_line(line);
    if (!result) {
      throw UserError(path, std::ssize(results) + 1, "is not the result of a run [fix or remove the line]");
    }
    results.push_back(*result);
  }
  return results;
}

/// Also removes an incomplete last line from the file.
std::vector<GridResult> intact_results(const std::filesystem::path& path) {
  remove_incomplete_line(path);
  return results_in(path);
}

std::filesystem::path log_of(const std::filesystem::path& folder) { return folder / "results.jsonl"; }

}  // namespace

ResultLog::ResultLog(const std::filesystem::path& folder)
    : found_(intact_results(log_of(folder))), file_(log_of(folder)) {}

void ResultLog::add(const GridResult& result) { file_.add(line_of(result)); }

std::vector<GridResult> read_grid_results(const std::filesystem::path& folder) { return results_in(log_of(folder)); }

}  // namespace gir
