#include "flag_text.h"

#include <regex>

namespace gir::cli {

std::string with_flags(std::string_view text) {
  static const std::regex setting("`([a-z][a-z0-9-]*)`");
  return std::regex_replace(std::string(text), setting, "--$1");
}

}  // namespace gir::cli
