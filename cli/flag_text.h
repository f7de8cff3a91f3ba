#pragma once

#include <string>
#include <string_view>

namespace gir::cli {

/// The library names settings in backticks; this turns `text-ids` into --text-ids.
std::string with_flags(std::string_view text);

}  // namespace gir::cli
