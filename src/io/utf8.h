#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gir {

/// Whether a number is a Unicode scalar value (a code point that is not a surrogate).
inline bool is_character(std::uint32_t code) { return code < 0xD800 || (code >= 0xE000 && code < 0x110000); }

/// Appends a character as UTF-8.
void append_utf8(std::string& text, std::uint32_t code);

/// The characters of `text`; nothing where it is not UTF-8.
std::optional<std::u32string> decode_utf8(std::string_view text);

}  // namespace gir
