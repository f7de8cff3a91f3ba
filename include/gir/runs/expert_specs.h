#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "gir/data/dataset.h"
#include "gir/runs/run_config.h"
#include "gir/runs/run_directory.h"

namespace gir {

/// Parses a comma-separated list of experts: models with their settings, or folders of finished runs. UserError for
/// unknown models and settings, for settings of the data, which all experts share, and for experts that are fused
/// models themselves.
std::vector<ExpertSpec> parse_experts(std::string_view text);

/// The configuration that one expert is trained with. It does not depend on the settings of the gate, so that fused
/// models can share their experts.
RunConfig expert_config(const RunConfig& fused, const ExpertSpec& spec);

/// Resolves the experts of a configuration to models and settings; for experts given as folders of finished runs,
/// `runs` holds the folder. UserError if they cannot be fused: fewer than two experts, the same one twice, a folder
/// without a finished run, a run on another graph, with other classes or another split, or finished runs with joint
/// training.
void resolve_experts(RunConfig& config, const Dataset& dataset);

/// Opens the finished run that an expert of a fused model comes from. UserError as above, and if the run is not the
/// expert that the fused model names.
RunDirectory open_expert_run(const std::filesystem::path& folder, const ExpertSpec& spec, const RunConfig& fused,
                             const Dataset& dataset);

/// The folder of the finished run that an expert comes from; empty if the expert is trained as part of this run.
std::filesystem::path expert_folder(const FusionSettings& fusion, std::size_t expert);

}  // namespace gir
