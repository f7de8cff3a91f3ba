#include "gir/runs/expert_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/io/split_files.h"
#include "gir/runs/model_spec.h"
#include "gir/runs/run_directory.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// The folder if the expert is given as a finished run; empty for the name of a model.
fs::path folder_of(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  if (Registry<ModelEntry>::find(name) != nullptr) return {};
  if (name.size() < text.size() && !fs::is_directory(text) && fs::is_directory(name)) {
    throw UserError(fs::path(name), "a finished run has its own settings [omit {}]", quoted(text.substr(name.size())));
  }
  return text.find('/') != std::string::npos || fs::is_directory(text) ? fs::absolute(text) : fs::path();
}

ExpertSpec parse_expert(const std::string& text) {
  if (fs::path folder = folder_of(text); !folder.empty()) return {.folder = std::move(folder)};
  try {
    ModelSpec spec = parse_model_spec(text, SpecUse::kExpert);
    return {.model = std::move(spec.model), .settings = std::move(spec.settings)};
  } catch (const UnknownNameError& error) {
    throw UserError("neither the folder of a run nor a model: {}", error.what());
  }
}

/// The expert that a finished run is, by the settings in which it differs from the fused model.
ExpertSpec spec_of(const RunConfig& expert, const RunConfig& fused, const fs::path& folder) {
  ExpertSpec spec{.model = expert.model};
  const RunConfig plain = expert_config(fused, spec);
  for (const Setting& setting : settings()) {
    if (!setting.scope.of_expert || setting.name == "pair-features") continue;  // experts classify nodes
    const std::string value = setting.get(expert);
    if (value == setting.get(plain)) continue;
    if (value.find_first_of(":,") != std::string::npos) {
      throw UserError(
          folder, "its {} is {}, and values with ':' or ',' are not possible for experts [train it with another value]",
          setting.name, quoted(value));
    }
    spec.settings[setting.name] = value;
  }
  return spec;
}

/// Opens a finished run, which must have been trained on the same graph, features, labels and split.
RunDirectory checked_run(const fs::path& folder, const RunConfig& fused, const Dataset& dataset) {
  const RunDirectory directory = RunDirectory::open(folder);
  const RunRecord record = read_record(directory);
  const RunConfig expert = directory_config(directory);
  if (record.result.interrupted) {
    throw UserError(folder, "the run was interrupted [`resume` it first]");
  }
  if (expert.task != task_name(Task::kNodeClassification)) {
    throw UserError(folder, "was trained for {}, but experts must be node classifiers [train it with `task` nc]",
                    expert.task);
  }
  if (record.graph_fingerprint != dataset.data.graph.fingerprint()) {
    throw UserError(folder, "was trained on another graph than {} [all experts must be trained on the same graph]",
                    dataset.name);
  }
  if (record.classes.size() != dataset.data.labels.names.size()) {
    throw UserError(folder, "has {} classes, but {} has {} [all experts must be trained on the same labels]",
                    record.classes.size(), dataset.name, dataset.data.labels.names.size());
  }
  if (record.data_fingerprint != fingerprint(dataset.data)) {
    throw UserError(
        folder,
        "was trained on other features or labels than those of {} [all experts must be trained on the same data]",
        dataset.name);
  }
  if (record.result.refit) {
    throw UserError(
        folder,
        "was trained on the validation nodes, too, so the fused model could not be chosen [train it without "
        "`refit`]");
  }
  const auto split_text = [](const RunConfig& config) {
    if (config.official_split) return std::string("official");
    const std::string& from = config.data.split_from;
    return fmt::format("{}{}{}", config.split, config.split_shares ? ", " + shares_text(*config.split_shares) : "",
                       from.empty() ? "" : fmt::format(", from files {}", split_fingerprint(from)));
  };
  if (split_text(expert) != split_text(fused)) {
    throw UserError(
        folder,
        "was trained on another split ({}) than this run ({}), so it may have seen validation or test nodes [use {}]",
        split_text(expert), split_text(fused),
        expert.official_split ? "`official-split`"
                              : fmt::format("`official-split` false, `split` {} and the same `split-shares` and "
                                            "`split-from`",
                                            expert.split));
  }
  return directory;
}

/// Completes the settings of one expert, as resolve() does for a run.
void complete(ExpertSpec& spec) {
  for (const char* name : {"hidden", "anchors", "anchor-sets"}) {
    if (const auto found = spec.settings.find(name); found != spec.settings.end() && found->second == "0") {
      spec.settings.erase(found);  // the default of the data set, which the fused model already has
    }
  }
  if (spec.settings.contains("anchor-file")) {
    spec.settings["anchor-file"] = fs::absolute(spec.settings["anchor-file"]).string();
    spec.settings.try_emplace("strategy", "file");
    spec.settings.try_emplace("fill", "");
  }
}

/// A key that is equal for equal experts: the folder, or all settings that training depends on.
std::string identity(const RunConfig& fused, const ExpertSpec& spec, const std::string& folder) {
  if (!folder.empty()) return folder;
  RunConfig config = expert_config(fused, spec);
  if (!Registry<ModelEntry>::get(spec.model).settings.contains("seed-stream")) config.seed_stream.clear();
  return settings_text(config);
}

void reject_duplicates(const RunConfig& fused, const std::vector<ExpertSpec>& specs,
                       const std::vector<std::string>& folders) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (seen.insert(identity(fused, specs[i], folders[i])).second) continue;
    throw UserError("`experts`: {} is listed twice [use another seed for one of them: {}:seed=1]",
                    folders[i].empty() ? specs[i].text() : folders[i], specs[i].model);
  }
}

}  // namespace

std::string ExpertSpec::text() const {
  return folder.empty() ? ModelSpec{.model = model, .settings = settings}.text() : folder.string();
}

std::vector<ExpertSpec> parse_experts(std::string_view text) {
  std::vector<ExpertSpec> specs;
  for (const std::string& part : split_at(text, ',')) specs.push_back(parse_expert(part));
  return specs;
}

RunConfig expert_config(const RunConfig& fused, const ExpertSpec& spec) {
  RunConfig config = fused;
  config.model = spec.model;
  config.fusion = {};
  config.shape.gate = {};
  config.seed_stream = spec.text();
  for (const auto& [name, value] : Registry<ModelEntry>::get(spec.model).settings) set(config, name, value);
  for (const auto& [name, value] : spec.settings) set(config, name, value);
  return config;
}

void resolve_experts(RunConfig& config, const Dataset& dataset) {
  std::vector<ExpertSpec>& specs = config.fusion.experts;
  std::vector<std::string>& folders = config.fusion.runs;
  if (folders.empty()) folders.resize(specs.size());
  if (folders.size() != specs.size()) {
    throw UserError("`expert-runs`: {} folders for {} experts [give one per expert]", folders.size(), specs.size());
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (const fs::path folder = specs[i].folder; !folder.empty()) {
      specs[i] = spec_of(directory_config(checked_run(folder, config, dataset)), config, folder);
      folders[i] = folder.string();
    } else {
      complete(specs[i]);
    }
  }
  if (specs.size() < 2) {
    throw UserError("a single expert, {}, cannot be fused [list two or more in `experts`]", specs.front().text());
  }
  reject_duplicates(config, specs, folders);
  const bool any = std::any_of(folders.begin(), folders.end(), [](const auto& folder) { return !folder.empty(); });
  if (any && config.fusion.training == ExpertTraining::kJoint) {
    throw UserError("finished runs cannot be trained jointly with the gate from scratch [use `expert-training` tuned]");
  }
  if (!any) folders.clear();
}

RunDirectory open_expert_run(const fs::path& folder, const ExpertSpec& spec, const RunConfig& fused,
                             const Dataset& dataset) {
  RunDirectory directory = checked_run(folder, fused, dataset);
  const std::string found = spec_of(directory_config(directory), fused, folder).text();
  if (found != spec.text()) {
    throw UserError(folder, "is {}, not {} [list the folder in `experts`]", found, spec.text());
  }
  return directory;
}

fs::path expert_folder(const FusionSettings& fusion, std::size_t expert) {
  return fusion.runs.empty() ? fs::path() : fs::path(fusion.runs[expert]);
}

}  // namespace gir
