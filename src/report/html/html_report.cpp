#include "gir/report/html_report.h"

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/version.h"
#include "gir/io/gzip.h"
#include "page.h"
#include "payload.h"

namespace gir {
namespace html {

ordered_json settings_list(const std::filesystem::path& file) {
  const TextFile text(file);
  const ordered_json document = ordered_json::parse(text.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) throw UserError(file, "is damaged: not a JSON object");
  ordered_json list = ordered_json::array();
  for (const auto& [name, value] : document.items()) {
    list.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return list;
}

namespace {

bool is_run(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "config.json"); }
bool is_grid(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "results.jsonl"); }

}  // namespace
}  // namespace html

HtmlReport html_report(const std::filesystem::path& folder, const HtmlReportOptions& options) {
  if (!std::filesystem::is_directory(folder)) throw UserError(folder, "no such folder [give a run's or a grid's]");
  if (!html::is_run(folder) && !html::is_grid(folder)) {
    throw UserError(folder,
                    "holds neither a run (config.json) nor a grid of runs (results.jsonl) [gir train, gir compare and "
                    "gir reproduce make them]");
  }
  HtmlReport report;
  html::ordered_json payload = {{"format", 1}, {"version", kVersion}, {"title", ""}, {"notes", {}}};
  if (html::is_run(folder)) {
    html::ordered_json run = html::run_payload(folder, options, report.notes);
    payload["title"] = fmt::format("{} on {}", run["model"].get<std::string>(), run["dataset"].get<std::string>());
    payload["run"] = std::move(run);
  } else {
    html::ordered_json grid = html::grid_payload(folder, report.notes);
    payload["title"] = fmt::format("{} models on {} data sets", grid["models"].size(), grid["columns"].size());
    payload["grid"] = std::move(grid);
  }
  payload["notes"] = report.notes;
  report.page = html::page_with(payload);
  return report;
}

}  // namespace gir
