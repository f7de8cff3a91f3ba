#include "gir/runs/run_config.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "gir/core/error.h"
#include "gir/core/file.h"
#include "gir/core/hash.h"
#include "gir/core/text.h"
#include "gir/core/version.h"
#include "setting_json.h"

namespace gir {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

nlohmann::ordered_json settings_json(const RunConfig& config) {
  nlohmann::ordered_json document;
  for (const Setting& each : settings()) document[each.name] = setting_json(each, each.get(config));
  return document;
}

std::string text_of(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

/// Newer settings are part of a fingerprint only where they differ from their defaults, so that the fingerprints of
/// earlier runs stay valid.
void erase_newer_defaults(nlohmann::ordered_json& document) {
  static const nlohmann::ordered_json defaults = settings_json(RunConfig());
  for (const Setting& each : settings()) {
    if (each.scope.newer && document[each.name] == defaults[each.name]) document.erase(each.name);
  }
}

/// The complete configuration of an earlier run was trained with the defaults of newer settings, and not with those of
/// a recipe. Incomplete configurations leave the rest to the recipe.
void add_newer_defaults(SettingValues& values) {
  const bool complete = std::all_of(settings().begin(), settings().end(), [&](const Setting& each) {
    return each.scope.newer || values.contains(each.name);
  });
  if (!complete) return;
  for (const Setting& each : settings()) {
    if (each.scope.newer) values.try_emplace(each.name, each.get(RunConfig()));
  }
}

/// The member of config.json with the folder of the run. Not a setting: it only helps to find files.
constexpr const char* kRunFolder = "run-folder";

bool is_path(const Setting& setting, const std::string& value) {
  return (setting.type.find("FILE") != std::string::npos || setting.type == "PATH") && fs::path(value).is_absolute();
}

/// Where a file is now that was at `path` when its run was in the folder `before`; the run is in `now`.
fs::path found_again(const fs::path& path, const fs::path& before, const fs::path& now) {
  const fs::path name = path.filename();
  const fs::path relative = path.lexically_relative(before);
  if (fs::exists(path) || name.empty() || relative.empty()) return path;
  for (const fs::path& place : {now / relative, now / name, now.parent_path() / name}) {
    if (fs::exists(place)) return place.lexically_normal();
  }
  return path;
}

}  // namespace

bool Bounds::contain(double value) const {
  return (exclusive_minimum ? value > minimum : value >= minimum) &&
         (exclusive_maximum ? value < maximum : value <= maximum);
}

std::string Bounds::text() const {
  std::vector<std::string> parts;
  if (std::isfinite(minimum))
    parts.push_back(fmt::format("{} {}", exclusive_minimum ? "more than" : "at least", minimum));
  if (std::isfinite(maximum))
    parts.push_back(fmt::format("{} {}", exclusive_maximum ? "less than" : "at most", maximum));
  return join(parts, " and ");
}

void set(RunConfig& config, std::string_view name, const std::string& value) {
  const Setting& setting = find_setting(name);
  try {
    setting.set(config, value);
  } catch (const UserError& error) {
    throw UserError("`{}`: {}", setting.name, error.what());
  }
  const bool is_number = (setting.type == "N" || setting.type == "REAL") && !value.empty();
  if (is_number && !setting.bounds.contain(std::stod(value))) {
    throw UserError("`{}`: {} [{}]", setting.name, value, setting.bounds.text());
  }
}

SettingValues read_settings(const std::filesystem::path& path) {
  const MappedFile file(path);
  const json document = json::parse(file.text(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) {
    throw UserError(path, "not a configuration [a JSON object of settings, such as config.json of a run]");
  }
  SettingValues values;
  for (const auto& [name, value] : document.items()) {
    if (value.is_structured() || value.is_null()) {
      throw UserError(path, "{} is not a string, number or boolean", quoted(name));
    }
    values[canonical_name(name) == "dataset" ? "graph" : canonical_name(name)] = setting_text(value);
  }
  const std::string before = std::exchange(values[kRunFolder], "");
  values.erase(kRunFolder);
  try {
    RunConfig scratch;
    for (const auto& [name, value] : values) set(scratch, name, value);
  } catch (const UserError& error) {
    throw UserError(path, "{}", error.what());
  }
  add_newer_defaults(values);
  if (before.empty()) return values;
  const fs::path now = fs::absolute(path).lexically_normal().parent_path();
  for (auto& [name, value] : values) {
    if (is_path(find_setting(name), value)) value = found_again(value, before, now).string();
  }
  return values;
}

DataRequest data_request(const SettingValues& given) {
  RunConfig config;
  for (const Setting& each : settings()) {
    if (each.scope.data == DataRole::kNone) continue;
    if (const auto found = given.find(each.name); found != given.end()) each.set(config, found->second);
  }
  return config.data;
}

std::string settings_text(const RunConfig& config, const fs::path& run_folder) {
  nlohmann::ordered_json document = settings_json(config);
  const auto names_path = [&](const Setting& each) { return is_path(each, each.get(config)); };
  if (!run_folder.empty() && std::any_of(settings().begin(), settings().end(), names_path)) {
    document[kRunFolder] = fs::absolute(run_folder).lexically_normal().string();
  }
  return text_of(document);
}

std::string settings_text(const RunConfig& config, const std::set<std::string>& names) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const Setting& each : settings()) {
    if (names.contains(each.name)) document[each.name] = setting_json(each, each.get(config));
  }
  return text_of(document);
}

std::string run_fingerprint(RunConfig config, std::string_view data, const Context& context) {
  // Version of the training rules; incremented when the same settings give other results. Version 2: ties between
  // perfect metrics are broken by the loss.
  constexpr std::string_view kRules = "2";
  Fingerprint print;
  print.add("rules", kRules);
  if (!config.anchor_file.empty()) print.add("anchors", MappedFile(config.anchor_file).text());
  if (!config.data.split_from.empty()) print.add("split", split_fingerprint(config.data.split_from));
  config.anchor_file.clear();
  config.data = {};
  config.checkpoint_every = 0;
  config.memory_budget = 0;
  config.fusion.cache.clear();
  nlohmann::ordered_json document = settings_json(config);
  erase_newer_defaults(document);
  print.add("settings", text_of(document));
  print.add("data", data);
  print.add("version", kVersion);
  if (!context.device.is_cpu()) print.add("device", context.mark());
  return print.hex();
}

}  // namespace gir
