#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "gir/core/error.h"

namespace gir::cli {

/// Accepts numbers from `minimum` to `maximum`.
template <typename Number>
CLI::Validator between(Number minimum, Number maximum) {
  const std::string range = fmt::format("{} to {}", minimum, maximum);
  const auto check = [minimum, maximum, range](const std::string& text) {
    Number value{};
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && value >= minimum && value <= maximum ? "" : fmt::format("{} [{}]", quoted(text), range);
  };
  return CLI::Validator(check, range);
}

}  // namespace gir::cli
