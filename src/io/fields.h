#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gir {

/// `text` without the spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Whether a line has nothing but separators and blanks.
bool is_empty_row(std::string_view line, char separator);

/// Removes the next field, and the blanks before it, from the front of `rest` and returns it. Fields are separated by
/// runs of spaces and tabs. Empty when nothing is left.
std::string_view take_field(std::string_view& rest);

/// The same for fields that are separated by single `separator`s (comma, tab) and may be empty; blanks around them are
/// dropped. ' ' stands for runs of blanks. Nothing when no field is left.
std::optional<std::string_view> take_field(std::optional<std::string_view>& rest, char separator);

/// The position behind the quote that closes the one at `open`, as RFC 4180 has it: quotes inside are doubled, and a
/// separator or the end of the line follows. npos where no quote closes it: then the quote is an ordinary character.
std::size_t end_of_quoted(std::string_view text, std::size_t open, char separator);

/// take_field() for fields that may be quoted. The result is a part of `rest`, or of `unquoted` where the field has
/// doubled quotes.
std::optional<std::string_view> take_cell(std::optional<std::string_view>& rest, char separator, std::string& unquoted);

/// The whole of `field` as a number; infinite where it exceeds the range of a float.
std::optional<float> parse_float(std::string_view field);

}  // namespace gir
