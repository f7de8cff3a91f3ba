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
        .complementarity = document.contains("ec") ? std::optional<double>(document.at("ec")) : std::nullopt};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::vector<GridResult> read_results(const std::filesystem::path& path) {
  std::vector<GridResult> found;
  if (!std::filesystem::exists(path)) return found;
  std::string kept;
  bool cut_off = false;
  {
    const TextFile file(path);
    std::string_view rest = file.text();
    for (std::int64_t number = 1; !rest.empty(); ++number) {
      const auto end = rest.find('\n');
      cut_off = end == std::string_view::npos;
      if (cut_off) break;
      const auto result = parse_line(rest.substr(0, end));
      if (!result) throw UserError(path, number, "is not the result of a run [mend or remove the line]");
      found.push_back(*result);
      kept += rest.substr(0, end + 1);
      rest.remove_prefix(end + 1);
    }
  }
  if (cut_off) write_file(path, kept);
  return found;
}

}  // namespace

ResultLog::ResultLog(const std::filesystem::path& path) : found_(read_results(path)), file_(path) {}

void ResultLog::add(const GridResult& result) { file_.add(line_of(result)); }

}  // namespace gir
