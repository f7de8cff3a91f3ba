#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gir/core/export.h"
#include "gir/report/table.h"
#include "gir/runs/tune.h"

namespace gir {

/// One row per trial: settings that differ from the default, the last round it took part in, and its validation metric
/// there. The compared trials come first, the best on top; those that failed come last.
GIR_API Table tune_table(const TuneOutcome& outcome, std::int64_t max_rows = std::numeric_limits<std::int64_t>::max());

/// One sentence: the best trial, and what it gained over the default on the same splits.
GIR_API std::string tune_verdict(const TuneOutcome& outcome);

/// What a reader should know about the metrics: that the best of many is optimistic, and what was skipped.
GIR_API std::vector<std::string> tune_notes(const TuneOutcome& outcome);

/// The outcome with all trials as a JSON document.
GIR_API std::string tune_json(const TuneOutcome& outcome);

/// Writes tune.json and table.md into `folder`, each atomically.
GIR_API void write_tune_report(const std::filesystem::path& folder, const TuneOutcome& outcome);

}  // namespace gir
