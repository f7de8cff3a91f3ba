#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gir::cli {

/// A text of the library for users of the program: every setting in backticks (`text-ids`, see UserError) becomes a
/// flag (--text-ids). Only words of the form [a-z][a-z0-9-]* are settings; other backticks are kept.
std::string with_flags(std::string_view text);

/// The same for every item.
std::vector<std::string> with_flags(const std::vector<std::string>& texts);

}  // namespace gir::cli
