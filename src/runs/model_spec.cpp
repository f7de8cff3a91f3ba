#include "gir/runs/model_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "gir/core/error.h"
#include "gir/core/text.h"

namespace gir {
namespace {

/// Whether models of a comparison can have their own value of a setting.
bool is_of_model(const Setting& setting, const ModelEntry& entry) {
  return setting.scope.of_model && (setting.group != SettingGroup::kFusion || entry.fuses);
}

void check_use(const Setting& setting, const ModelEntry& entry, SpecUse use) {
  if (use == SpecUse::kExpert && !setting.scope.of_expert) {
    throw UserError("{} is the same for all experts [set `{}` for the whole run]", setting.name, setting.name);
  }
  if (use == SpecUse::kRun && !is_of_model(setting, entry)) {
    if (setting.group == SettingGroup::kFusion && !entry.fuses) {
      throw UserError("{} is for fused models [omit it]", setting.name);
    }
    throw UserError("{} cannot be set for one model [omit it, or set it for all]", setting.name);
  }
}

/// Adds "layers=5" to the settings of a model.
void add_setting(ModelSpec& spec, const ModelEntry& entry, const std::string& text, SpecUse use) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw UserError("expected setting=value, got {} [an example: gir:layers=5:anchors=64]", quoted(text));
  }
  const Setting& setting = find_setting(std::string_view(text).substr(0, equals));
  check_use(setting, entry, use);
  const std::string value = text.substr(equals + 1);
  RunConfig scratch;
  set(scratch, setting.name, value);
  if (!spec.settings.emplace(setting.name, value).second) {
    throw UserError("{} is given twice [omit one of them]", setting.name);
  }
}

}  // namespace

std::string ModelSpec::text() const {
  std::string result = model;
  for (const auto& [name, value] : settings) result += fmt::format(":{}={}", name, value);
  return result;
}

ModelSpec parse_model_spec(const std::string& text, SpecUse use) {
  const std::vector<std::string> parts = split_at(text, ':');
  const ModelEntry& entry = Registry<ModelEntry>::get(parts.empty() ? std::string_view() : parts.front());
  if (use == SpecUse::kExpert && entry.fuses) {
    throw UserError("{} is a fused model itself [name its experts instead]", entry.name);
  }
  ModelSpec spec{.model = entry.name};
  try {
    for (auto part = parts.begin() + 1; part < parts.end(); ++part) add_setting(spec, entry, *part, use);
  } catch (const UserError& error) {
    throw UserError("{}: {}", text, error.what());
  }
  return spec;
}

const std::string& plain_fused_model() {
  const std::vector<ModelEntry>& models = Registry<ModelEntry>::all();
  const auto found = std::find_if(models.begin(), models.end(), [](const ModelEntry& entry) {
    return entry.fuses && !entry.settings.contains("experts");
  });
  ensure(found != models.end(), "a fused model without experts is registered");
  return found->name;
}

}  // namespace gir
