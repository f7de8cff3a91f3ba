#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "gir/core/error.h"

namespace gir::cli {

/// Lets numbers from `least` to `most` through.
template <typename Number>
CLI::Validator between(Number least, Number most) {
  const std::string range = fmt::format("{} to {}", least, most);
  const auto check = [least, most, range](const std::string& text) {
    Number value{};
    const bool is_number = CLI::detail::lexical_cast(text, value);
    return is_number && value >= least && value <= most ? "" : fmt::format("{} [{}]", quoted(text), range);
  };
  return CLI::Validator(check, range);
}

}  // namespace gir::cli
