#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gir/core/context.h"
#include "gir/core/export.h"

namespace gir {

/// A run of which a report says how to repeat it.
struct GIR_API RunToRepeat {
  std::filesystem::path config;             ///< file with its settings
  std::string device = "cpu";               ///< RunResult::device
  std::optional<std::uint64_t> seed = {};   ///< where the file does not hold it
  std::optional<std::uint64_t> split = {};  ///< the same
};

struct GIR_API HtmlReportOptions {
  Context context = {};                                         ///< that a run's model is applied under
  std::filesystem::path data_dir = {};                          ///< where to look for data sets first
  std::function<std::string(const RunToRepeat&)> command = {};  ///< that repeats a run; without, none is shown
  std::int64_t most_nodes = 200'000;  ///< that are drawn, at least 1; of larger graphs a sample
  std::int64_t most_edges = 300'000;  ///< the same
};

/// A page for people to look at results.
struct GIR_API HtmlReport {
  std::string page;                ///< HTML with everything in it: it opens from disk, without a network
  std::vector<std::string> notes;  ///< what is missing or was left out; the page says so, too
};

/// The report of a run directory, finished or not, or of a grid's folder (docs/report.md). The same folder gives the
/// same bytes. UserError for folders that are neither, and for files in them that are damaged beyond use. A run's graph
/// is read again and its model applied; where that cannot be, the rest is shown.
GIR_API HtmlReport html_report(const std::filesystem::path& folder, const HtmlReportOptions& options = {});

}  // namespace gir
