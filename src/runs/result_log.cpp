#include "result_log.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

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
  fields("test", result.test);
  fields("valid", result.valid);
  fields("best_epoch", result.best_epoch);
  fields("seed", result.seed);
  fields("split", result.split);
  fields("seconds", result.seconds);
  fields("bad_epoch", result.bad_epoch);
  fields("version", result.version);
  fields("settings", result.settings);
  fields.optional("device", result.device, std::string("cpu"));
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

struct FoundResults {
  std::vector<GridResult> results;
  std::int64_t bytes = 0;  ///< of their lines
  bool cut_off = false;    ///< an incomplete line follows
};

FoundResults find_results(const std::filesystem::path& path) {
  FoundResults found;
  if (!std::filesystem::exists(path)) return found;
  const TextFile file(path);
  std::string_view rest = file.text();
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const auto end = rest.find('\n');
    found.cut_off = end == std::string_view::npos;
    if (found.cut_off) break;
    const auto result = parse_line(rest.substr(0, end));
    if (!result) throw UserError(path, number, "is not the result of a run [fix or remove the line]");
    found.results.push_back(*result);
    rest.remove_prefix(end + 1);
  }
  found.bytes = static_cast<std::int64_t>(file.text().size() - rest.size());
  return found;
}

/// Removes an incomplete last line from the file.
std::vector<GridResult> intact_results(const std::filesystem::path& path) {
  FoundResults found = find_results(path);
  if (found.cut_off) {
    const std::string kept(TextFile(path).text().substr(0, static_cast<std::size_t>(found.bytes)));
    write_file(path, kept);
  }
  return std::move(found.results);
}

std::filesystem::path log_of(const std::filesystem::path& folder) { return folder / "results.jsonl"; }

}  // namespace

ResultLog::ResultLog(const std::filesystem::path& folder)
    : found_(intact_results(log_of(folder))), file_(log_of(folder)) {}

void ResultLog::add(const GridResult& result) { file_.add(line_of(result)); }

void write_grid_request(const std::filesystem::path& folder, const GridRequest& request) {
  const ordered_json document = {{"command", request.command},
                                 {"datasets", request.datasets},
                                 {"models", request.models},
                                 {"settings", request.settings}};
  write_file(folder / "grid.json", document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::optional<GridRequest> read_grid_request(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "grid.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  const json document = json::parse(TextFile(file).text(), nullptr, /*allow_exceptions=*/false);
  try {
    return GridRequest{.command = document.at("command"),
                       .datasets = document.at("datasets"),
                       .models = document.at("models"),
                       .settings = document.at("settings")};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::vector<GridResult> read_grid_results(const std::filesystem::path& folder) {
  return find_results(log_of(folder)).results;
}

}  // namespace gir
