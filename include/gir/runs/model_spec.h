#pragma once

#include <string>
#include <string_view>

#include "gir/core/export.h"
#include "gir/runs/run_config.h"

namespace gir {

/// A model with settings of its own: "gir:layers=5:anchors=64".
struct GIR_API ModelSpec {
  std::string model;  ///< as it is registered
  SettingValues settings = {};

  /// The same text for equal models: settings in alphabetical order.
  std::string text() const;
};

/// What a model with settings is part of, which decides the settings that it can have of its own.
enum class SpecUse {
  kExpert,  ///< of a fused model: settings of model and training; not a fused model itself
  kRun      ///< of a comparison, or a run alone: the same without the seed, and settings of the fusion of a fused model
};

/// Parses a model with settings. UserError for unknown models and settings, settings that it cannot have of its own,
/// invalid values, and a setting that is given twice.
GIR_API ModelSpec parse_model_spec(const std::string& text, SpecUse use);

/// The fused model without experts of its own, for which the user lists them.
GIR_API const std::string& plain_fused_model();

}  // namespace gir
