#include "gir/runs/expert_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/runs/run_directory.h"

namespace gir {
namespace {

namespace fs = std::filesystem;

/// All parts, empty ones too.
std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Settings that an expert can have of its own: what it is and how it learns, not what it learns from.
bool is_of_expert(const Setting& setting) {
  static const std::set<std::string> shared = {"model", "checkpoint-every", "memory-budget", "seed-stream"};
  return setting.group != "Data" && setting.group != "Fusion" && !shared.contains(setting.name);
}

const Setting& expert_setting(const std::string& model, std::string_view name) {
  const auto found = [&]() -> const Setting* {
    try {
      return &find_setting(name);
    } catch (const UserError& error) {
      throw UserError("--experts: {}: {}", model, error.what());
    }
  }();
  if (!is_of_expert(*found)) {
    throw UserError("--experts: {} is the same for all experts [give it by itself]", found->name);
  }
  return *found;
}

const ModelEntry& expert_model(const std::string& name) {
  try {
    return Registry<ModelEntry>::get(name);
  } catch (const UserError& error) {
    throw UserError("--experts: no folder of a run, and {}", error.what());
  }
}

ExpertSpec parse_expert(const std::string& text) {
  const std::vector<std::string> parts = split_at(text, ':');
  const ModelEntry& entry = expert_model(parts.front());
  if (entry.fuses) throw UserError("--experts: {} has experts of its own [name those]", entry.name);
  ExpertSpec spec{.model = entry.name};
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const auto equals = part->find('=');
    if (equals == std::string::npos) {
      throw UserError("--experts: {} sets nothing [such as gir:layers=5:anchors=64]", quoted(*part));
    }
    spec.settings[expert_setting(spec.model, part->substr(0, equals)).name] = part->substr(equals + 1);
  }
  return spec;
}

/// What sets a finished run apart from the fused model that it becomes part of.
ExpertSpec spec_of(const RunConfig& expert, const RunConfig& fused, const fs::path& folder) {
  ExpertSpec spec{.model = expert.model};
  const RunConfig plain = expert_config(fused, spec);
  for (const Setting& setting : settings()) {
    if (!is_of_expert(setting)) continue;
    const std::string value = setting.get(expert);
    if (value == setting.get(plain)) continue;
    if (value.find_first_of(":,") != std::string::npos) {
      throw UserError(folder, "its {} is {}, which an expert cannot have [train it without]", setting.name,
                      quoted(value));
    }
    spec.settings[setting.name] = value;
  }
  return spec;
}

/// A finished run that has learnt the same classes from the same nodes of the same graph.
RunDirectory checked_run(const fs::path& folder, const RunConfig& fused, const Dataset& dataset) {
  const RunDirectory directory = RunDirectory::open(folder);
  const RunFacts facts = facts_of(directory);
  const RunConfig expert = directory_config(directory);
  if (facts.interrupted) {
    throw UserError(folder, "the run was interrupted [gir train --resume {}]", folder.string());
  }
  if (expert.task != task_name(Task::kNodeClassification)) {
    throw UserError(folder, "was trained for {}, and experts decide about classes [one trained with --task nc]",
                    expert.task);
  }
  if (facts.graph_fingerprint != dataset.data.graph.fingerprint()) {
    throw UserError(folder, "was trained on another graph than {} [experts of one graph]", dataset.name);
  }
  if (facts.classes.size() != dataset.data.labels.names.size()) {
    throw UserError(folder, "knows {} classes, and {} has {} [experts of the same labels]", facts.classes.size(),
                    dataset.name, dataset.data.labels.names.size());
  }
  if (facts.data_fingerprint != fingerprint(dataset.data)) {
    throw UserError(folder, "was trained on other features or labels of {} [experts of the same data]", dataset.name);
  }
  const auto split_text = [](const RunConfig& config) {
    return config.official_split ? std::string("the official one") : fmt::format("{}", config.split);
  };
  if (split_text(expert) != split_text(fused)) {
    throw UserError(
        folder, "has learnt from nodes that this run is judged on: its split is {}, not {} [{}]", split_text(expert),
        split_text(fused),
        expert.official_split ? "--official-split" : fmt::format("--official-split=false --split {}", expert.split));
  }
  return directory;
}

/// The folder of an expert that comes from a finished run; empty for a model's name.
fs::path folder_of(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  if (Registry<ModelEntry>::find(name) != nullptr) return {};
  return text.find('/') != std::string::npos || fs::is_directory(text) ? fs::absolute(text) : fs::path();
}

/// Checks what one expert is set to, as a run of its own would be.
void check_expert(const RunConfig& fused, ExpertSpec& spec) {
  for (const char* name : {"hidden", "anchors", "anchor-sets"}) {
    if (const auto found = spec.settings.find(name); found != spec.settings.end() && found->second == "0") {
      spec.settings.erase(found);  // what the data set comes with, as the fused model has it
    }
  }
  if (spec.settings.contains("anchor-file")) {
    spec.settings["anchor-file"] = fs::absolute(spec.settings["anchor-file"]).string();
    spec.settings.try_emplace("strategy", "file");
    spec.settings.try_emplace("fill", "");
  }
  try {
    check_trainer_options(expert_config(fused, spec).training);
  } catch (const UserError& error) {
    throw UserError("--experts: {}: {}", spec.text(), error.what());
  }
}

/// What is compared to find out whether two experts are one: the folder, or everything that training depends on.
std::string identity(const RunConfig& fused, const ExpertSpec& spec, const std::string& folder) {
  if (!folder.empty()) return folder;
  RunConfig config = expert_config(fused, spec);
  if (!Registry<ModelEntry>::get(spec.model).settings.contains("seed-stream")) config.seed_stream.clear();
  return settings_text(config);
}

void refuse_repetition(const RunConfig& fused, const std::vector<ExpertSpec>& specs,
                       const std::vector<std::string>& folders) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (seen.insert(identity(fused, specs[i], folders[i])).second) continue;
    throw UserError("--experts: {} stands there twice [give one another seed: {}:seed=1]",
                    folders[i].empty() ? specs[i].text() : folders[i], specs[i].model);
  }
}

}  // namespace

std::string ExpertSpec::text() const {
  std::string result = model;
  for (const auto& [name, value] : settings) result += fmt::format(":{}={}", name, value);
  return result;
}

std::vector<ExpertSpec> parse_experts(std::string_view text) {
  std::vector<ExpertSpec> specs;
  if (text.empty()) return specs;
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
  const std::vector<std::string> parts = split_at(config.fusion.experts, ',');
  std::vector<std::string> folders(parts.size());
  if (!config.fusion.runs.empty()) folders = split_at(config.fusion.runs, ',');
  if (folders.size() != parts.size()) {
    throw UserError("--expert-runs: {} folders for {} experts [one for each]", folders.size(), parts.size());
  }
  std::vector<ExpertSpec> specs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (const fs::path folder = folder_of(parts[i]); !folder.empty()) {
      const RunDirectory directory = checked_run(folder, config, dataset);
      specs.push_back(spec_of(directory_config(directory), config, folder));
      folders[i] = folder.string();
    } else {
      specs.push_back(parse_expert(parts[i]));
      check_expert(config, specs.back());
    }
  }
  if (specs.size() < 2) {
    throw UserError("a single expert, {}, cannot be fused [name two or more: --experts A,B]", specs.front().text());
  }
  refuse_repetition(config, specs, folders);
  const bool any = std::any_of(folders.begin(), folders.end(), [](const auto& folder) { return !folder.empty(); });
  if (any && config.fusion.training == ExpertTraining::kJoint) {
    throw UserError(
        "finished runs have begun already, and joint experts begin with the gate [--expert-training tuned]");
  }
  config.fusion.runs = any ? join(folders, ",") : "";
  std::vector<std::string> texts;
  for (const ExpertSpec& spec : specs) texts.push_back(spec.text());
  config.fusion.experts = join(texts, ",");
}

RunDirectory open_expert_run(const fs::path& folder, const ExpertSpec& spec, const RunConfig& fused,
                             const Dataset& dataset) {
  RunDirectory directory = checked_run(folder, fused, dataset);
  const std::string found = spec_of(directory_config(directory), fused, folder).text();
  if (found != spec.text()) {
    throw UserError(folder, "is {}, not {} [name the folder in --experts]", found, spec.text());
  }
  return directory;
}

std::vector<fs::path> expert_folders(const RunConfig& config) {
  const std::vector<ExpertSpec> specs = parse_experts(config.fusion.experts);
  std::vector<fs::path> folders(specs.size());
  if (config.fusion.runs.empty()) return folders;
  const std::vector<std::string> parts = split_at(config.fusion.runs, ',');
  ensure(parts.size() == specs.size(), "a folder for every expert");
  std::copy(parts.begin(), parts.end(), folders.begin());
  return folders;
}

}  // namespace gir
