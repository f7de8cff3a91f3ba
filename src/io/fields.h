#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gir {

/// `text` without the spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Takes the next field off the front of `rest`, with the blanks before it. Fields stand between runs of
/// spaces and tabs. Empty when nothing is left.
std::string_view take_field(std::string_view& rest);

/// The same where fields stand between single `separator`s (comma, tab) and may be empty; blanks around them
/// do not count. ' ' means runs of blanks. Nothing when the line is used up.
std::optional<std::string_view> take_field(std::optional<std::string_view>& rest, char separator);

/// The number that `field` is, from its first byte to its last; infinite where it is out of a float's range.
std::optional<float> parse_float(std::string_view field);

}  // namespace gir
