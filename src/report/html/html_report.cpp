#include "gir/report/html_report.h"

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/text.h"
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
  ensure(options.max_nodes > 0, "at least one node in a report");
  if (std::filesystem::is_regular_file(folder))
    throw UserError(folder, "is a file, not a folder [give the folder of a run or a grid]");
  if (!std::filesystem::is_directory(folder))
    throw UserError(folder, "no such folder [give the folder of a run or a grid]");
  if (!html::is_run(folder) && !html::is_grid(folder)) {
    throw UserError(folder,
                    "contains neither a run (config.json) nor a grid of runs (results.jsonl) [give the folder of "
                    "a training or a comparison]");
  }
  HtmlReport report;
  html::ordered_json payload = {{"format", 1}, {"version", kVersion}, {"title", ""}, {"notes", {}}};
  if (html::is_run(folder)) {
    html::ordered_json run = html::run_payload(folder, options, report.notes);
    payload["title"] = fmt::format("{} on {}", run["model"].get<std::string>(), run["dataset"].get<std::string>());
    payload["run"] = std::move(run);
  } else {
    if (!options.data.graph.empty() || !options.data.features.empty() || !options.data.labels.empty()) {
      throw UserError(folder, "is a grid, whose report reads no data [omit `graph`, `features` and `labels`]");
    }
    html::ordered_json grid = html::grid_payload(folder, options, report.notes);
    const auto counted = [](std::size_t count, const char* what) {
      return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    payload["title"] =
        fmt::format("{} on {}{}", counted(grid["models"].size(), "model"), counted(grid["columns"].size(), "data set"),
                    grid["set"] == "test" ? "" : ": validation metrics");
    payload["grid"] = std::move(grid);
  }
  payload["notes"] = report.notes;
  report.page = html::page_with(payload);
  constexpr std::size_t kLargePage = 25'000'000;
  if (report.page.size() > kLargePage) {
    report.notes.push_back(fmt::format("the page is large ({}), so browsers may take long to open it",
                                       human_bytes(std::ssize(report.page))));
  }
  return report;
}

}  // namespace gir
