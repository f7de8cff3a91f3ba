#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/export.h"
#include "gir/data/dataset.h"

namespace gir {

/// A run for which a report shows the command that repeats it.
struct GIR_API RunToRepeat {
  std::filesystem::path config;             ///< configuration file of the run
  std::string device = "cpu";               ///< RunResult::device
  std::optional<std::uint64_t> seed = {};   ///< if the file does not contain it
  std::optional<std::uint64_t> split = {};  ///< if the file does not contain it
};

struct GIR_API HtmlReportOptions {
  Context context = {};                                         ///< for the forward pass of the model
  std::filesystem::path data_dir = {};                          ///< searched first for data sets
  DataRequest data = {};                                        ///< OpenOptions::data of a run
  std::function<std::string(const RunToRepeat&)> command = {};  ///< returns the command that repeats a run; empty: no
                                                                ///< commands are shown
  std::int64_t max_nodes = 200'000;  ///< maximum number of nodes in the page, at least 1; larger graphs are sampled
  std::int64_t max_edges = 300'000;  ///< maximum number of edges, the same
};

/// A report as an HTML page.
struct GIR_API HtmlReport {
  std::string page;                ///< self-contained HTML, which opens from disk without a network
  std::vector<std::string> notes;  ///< what is missing or was omitted; also shown in the page
};

/// The report of a run directory, finished or not, or of the folder of a grid (docs/report.md). The same folder gives
/// identical bytes. UserError for other folders, and for files in them that are damaged beyond use. The graph of a run
/// is read again and its model applied to it; if that is not possible, the rest is shown.
GIR_API HtmlReport html_report(const std::filesystem::path& folder, const HtmlReportOptions& options = {});

}  // namespace gir
