#include "result_log.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/io/gzip.h"

namespace gir {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string line_of(const GridResult& result) {
  ordered_json line = {{"dataset", result.dataset},       {"task", result.task},           {"model", result.model},
                       {"metric", result.metric},         {"test", result.test},           {"valid", result.valid},
                       {"best_epoch", result.best_epoch}, {"seed", result.seed},           {"split", result.split},
                       {"seconds", result.seconds},       {"bad_epoch", result.bad_epoch}, {"version", result.version},
                       {"settings", result.settings}};
  if (result.device != "cpu") line["device"] = result.device;
  if (result.complementarity) line["ec"] = *result.complementarity;
  return line.dump() + "\n";
}

std::optional<GridResult> parse_line(std::string_view line) {
  const json document = json::parse(line, nullptr, /*allow_exceptions=*/false);
  try {
    return GridResult{
        .dataset = document.at("dataset"),
        .task = document.at("task"),
        .model = document.at("model"),
        .metric = document.at("metric"),
        .test = document.at("test"),
        .valid = document.at("valid"),
        .best_epoch = document.at("best_epoch"),
        .seed = document.at("seed"),
        .split = document.at("split"),
        .seconds = document.at("seconds"),
        .bad_epoch = document.at("bad_epoch"),
        .version = document.at("version"),
        .settings = document.at("settings"),
        .complementarity = document.contains("ec") ? std::optional<double>(document.at("ec")) : std::nullopt,
        .device = document.value("device", "cpu")};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

struct FoundResults {
  std::vector<GridResult> results;
  std::int64_t bytes = 0;  ///< of their lines
  bool cut_off = false;    ///< a line follows that was being written
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
    if (!result) throw UserError(path, number, "is not the result of a run [mend or remove the line]");
    found.results.push_back(*result);
    rest.remove_prefix(end + 1);
  }
  found.bytes = static_cast<std::int64_t>(file.text().size() - rest.size());
  return found;
}

/// Drops a last line that was cut off.
std::vector<GridResult> mended_results(const std::filesystem::path& path) {
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
    : found_(mended_results(log_of(folder))), file_(log_of(folder)) {}

void ResultLog::add(const GridResult& result) { file_.add(line_of(result)); }

void keep_request(const std::filesystem::path& folder, const GridRequest& request) {
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
