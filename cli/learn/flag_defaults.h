#pragma once

#include <string>

#include "gir/runs/run_config.h"

namespace gir::cli {

/// The default value of a flag, where it depends on the task also that: that of data sets known by name, and that of
/// other graphs (the recipe auto) if it differs. "3", "10 (nc: 5)", "0; auto: 12"; empty for '' and for switches that
/// are off.
std::string default_text(const Setting& setting);

}  // namespace gir::cli
