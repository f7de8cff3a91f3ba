#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gir/runs/run_config.h"

namespace gir {

/// A value of a JSON file as text, as it is given on the command line.
inline std::string setting_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The value of a setting for JSON files: numbers and booleans as such, everything else as a string.
inline nlohmann::json setting_json(const Setting& setting, const std::string& text) {
  const bool plain = setting.type == "N" || setting.type == "REAL" || setting.type.empty();
  return plain && !text.empty() ? nlohmann::json::parse(text) : nlohmann::json(text);
}

}  // namespace gir
