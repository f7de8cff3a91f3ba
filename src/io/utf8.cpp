#include "utf8.h"

namespace gir {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_rest = [&](int shift) {
    for (; shift >= 0; shift -= 6) put(0x80 | (code >> shift & 0x3F));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put_rest(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
  }
}

std::optional<std::u32string> decode_utf8(std::string_view text) {
  // Smallest code by number of continuation bytes: shorter codes in longer sequences are not valid UTF-8.
  constexpr std::uint32_t kSmallest[] = {0, 0x80, 0x800, 0x10000};
  std::u32string characters;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const int following = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : -1;
    if (following < 0 || text.size() - i < static_cast<std::size_t>(following)) return std::nullopt;
    std::uint32_t code = following == 0 ? first : first & (0x3Fu >> following);
    for (int k = 0; k < following; ++k) {
      const auto byte = static_cast<unsigned char>(text[i++]);
      if (byte >> 6 != 2) return std::nullopt;
      code = code << 6 | (byte & 0x3Fu);
    }
    if (code < kSmallest[following] || !is_character(code)) return std::nullopt;
    characters += static_cast<char32_t>(code);
  }
  return characters;
}

}  // namespace gir
