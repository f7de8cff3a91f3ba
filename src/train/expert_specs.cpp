#include "gir/train/expert_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gir/core/error.h"
#include "gir/core/text.h"
#include "gir/train/run_directory.h"

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
  static const std::set<std::string> shared = {"model", "checkpoint-every"};
  return setting.group != "Data" && setting.group != "Fusion" && !shared.contains(setting.name);
}

const Setting& expert_setting(std::string_view name) {
  const Setting& found = find_setting(name);
  if (!is_of_expert(found))
    throw UserError("--experts: {} is the same for all experts [give it by itself]", found.name);
  return found;
}

ExpertSpec parse_expert(const std::string& text) {
  const std::vector<std::string> parts = split_at(text, ':');
  const ModelEntry& entry = Registry<ModelEntry>::get(parts.front());
  if (entry.fuses) throw UserError("--experts: {} has experts of its own [name those]", entry.name);
  ExpertSpec spec{.model = entry.name};
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const auto equals = part->find('=');
    if (equals == std::string::npos) {
      throw UserError("--experts: {} sets nothing [such as gir:layers=5:anchors=64]", quoted(*part));
    }
    spec.settings[expert_setting(part->substr(0, equals)).name] = part->substr(equals + 1);
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

/// Whether a finished run can be an expert: it must have learnt the same classes from the same nodes of the same graph.
void check_expert_run(const RunDirectory& directory, const RunConfig& expert, const RunConfig& fused,
                      const Dataset& dataset) {
  const fs::path& folder = directory.path();
  if (!directory.finished()) throw UserError(folder, "the run has not ended [gir train --resume {}]", folder.string());
  const RunFacts facts = facts_of(directory);
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
  if (expert.official_split != fused.official_split || (!fused.official_split && expert.split != fused.split)) {
    throw UserError(folder, "has learnt from nodes that this run is judged on: its split is {}, not {} [{}]",
                    expert.official_split ? "the official one" : fmt::format("{}", expert.split),
                    fused.official_split ? "the official one" : fmt::format("{}", fused.split),
                    expert.official_split ? "--official-split" : fmt::format("--split {}", expert.split));
  }
}

void refuse_repetition(const std::vector<std::string>& texts, const std::vector<std::string>& folders) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (texts[i] != texts[j] || folders[i] != folders[j]) continue;
      throw UserError("--experts: {} stands there twice [give one another seed: {}:seed=1]", texts[i], texts[i]);
    }
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
  config.shape.gate_hidden = ModelOptions().gate_hidden;
  for (const auto& [name, value] : Registry<ModelEntry>::get(spec.model).settings) set(config, name, value);
  for (const auto& [name, value] : spec.settings) set(config, name, value);
  return config;
}

void resolve_experts(RunConfig& config, const Dataset& dataset) {
  std::vector<std::string> texts;
  std::vector<std::string> folders;
  for (const std::string& part : split_at(config.fusion.experts, ',')) {
    const bool is_path = part.find('/') != std::string::npos || fs::is_directory(part);
    if (is_path && Registry<ModelEntry>::find(part) == nullptr) {
      const RunDirectory directory = RunDirectory::open(part);
      const RunConfig expert = directory_config(directory);
      check_expert_run(directory, expert, config, dataset);
      texts.push_back(spec_of(expert, config, part).text());
      folders.push_back(fs::absolute(part).string());
    } else {
      texts.push_back(parse_expert(part).text());
      folders.emplace_back();
    }
  }
  if (texts.size() < 2) {
    throw UserError("a single expert, {}, cannot be fused [name two or more: --experts A,B]", texts.front());
  }
  const bool none = std::all_of(folders.begin(), folders.end(), [](const auto& folder) { return folder.empty(); });
  if (!none) config.fusion.runs = join(folders, ",");
  if (config.fusion.runs.empty()) refuse_repetition(texts, folders);
  config.fusion.experts = join(texts, ",");
  ensure(expert_folders(config).size() == texts.size(), "a folder for every expert");
}

std::vector<fs::path> expert_folders(const RunConfig& config) {
  const std::vector<ExpertSpec> specs = parse_experts(config.fusion.experts);
  std::vector<fs::path> folders(specs.size());
  if (config.fusion.runs.empty()) return folders;
  const std::vector<std::string> parts = split_at(config.fusion.runs, ',');
  if (parts.size() != specs.size()) {
    throw UserError("--expert-runs: {} folders for {} experts [one for each]", parts.size(), specs.size());
  }
  std::copy(parts.begin(), parts.end(), folders.begin());
  return folders;
}

}  // namespace gir
