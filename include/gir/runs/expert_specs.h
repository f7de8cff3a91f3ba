#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/runs/run_config.h"
#include "gir/runs/run_directory.h"

namespace gir {

/// Experts separated by commas: models with their settings, or folders of finished runs. UserError for unknown models
/// and settings, for settings of the data, which all experts share, and for experts that are fused models themselves.
std::vector<ExpertSpec> parse_experts(std::string_view text);

/// The configuration of one expert's own training. All fused models that differ in nothing else have the same.
RunConfig expert_config(const RunConfig& fused, const ExpertSpec& spec);

/// Brings the fusion's settings of a configuration into the form that runs keep: experts by model and settings, those
/// that were given as the folders of finished runs with their folder in `runs`. UserError where they cannot be fused:
/// one expert or the same one twice, a folder that holds no finished run, or one of another graph, other classes or
/// another split, and finished runs that are to be trained jointly.
void resolve_experts(RunConfig& config, const Dataset& dataset);

/// The finished run that an expert of a fused model comes from. UserError as above, and where the run is not the expert
/// that the fused model names.
RunDirectory open_expert_run(const std::filesystem::path& folder, const ExpertSpec& spec, const RunConfig& fused,
                             const Dataset& dataset);

/// The folder that an expert comes from; empty where it is trained here.
std::filesystem::path expert_folder(const FusionSettings& fusion, std::size_t expert);

}  // namespace gir
