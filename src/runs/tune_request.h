#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "gir/runs/tune.h"
#include "tune_trainings.h"

namespace gir {

/// UserError for a request that no search can serve.
void check_tune_options(const TuneOptions& options);

/// Prepares the folder of a search: creates it and writes request.json, or checks that an earlier search in it had the
/// same request. UserError if it had another one, or if the folder contains something else. Returns the folder.
std::filesystem::path claim_tune_folder(const std::filesystem::path& folder, const TuneOptions& options,
                                        const RunConfig& default_config, const Dataset& dataset);

/// Records that the search has ended for its budget and number of trials, and its rounds.
void mark_tune_ended(const std::filesystem::path& folder, const TuneOptions& options,
                     const std::vector<TuneStage>& stages);

/// The rounds of a search that has ended before with this budget and number of trials; nothing if it has not.
std::optional<std::vector<TuneStage>> ended_tune(const std::filesystem::path& folder, const TuneOptions& options);

}  // namespace gir
