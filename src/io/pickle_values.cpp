#include <charconv>
#include <cstring>

#include "pickle_reader.h"
#include "utf8.h"

namespace gir {

bool PickleReader::run_number(char operation) {
  const auto push_integer = [this](std::uint64_t number) { push(static_cast<std::int64_t>(number)); };
  switch (operation) {
    case 'N':  // NONE
      push(std::monostate());
      return true;
    case '\x88':  // NEWTRUE
    case '\x89':  // NEWFALSE
      push(operation == '\x88');
      return true;
    case 'K':  // BININT1
      push_integer(take_unsigned(1));
      return true;
    case 'M':  // BININT2
      push_integer(take_unsigned(2));
      return true;
    case 'J':  // BININT
      push(std::int64_t{static_cast<std::int32_t>(take_unsigned(4))});
      return true;
    case '\x8a':  // LONG1
      push(take_long(take_unsigned(1)));
      return true;
    case '\x8b':  // LONG4
      push(take_long(take_unsigned(4)));
      return true;
    case 'I': {  // INT; protocol 0 writes bools as the integers 00 and 01
      const std::string_view line = take_line();
      line == "00" || line == "01" ? push(line == "01") : push(parse_decimal(line));
      return true;
    }
    case 'L': {  // LONG
      std::string_view line = take_line();
      if (line.ends_with('L')) line.remove_suffix(1);
      push(parse_decimal(line));
      return true;
    }
    case 'F': {  // FLOAT
      const std::string_view line = take_line();
      double number = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
      if (error != std::errc() || end != line.data() + line.size()) fail("{} is not a number", quoted(line));
      push(number);
      return true;
    }
    case 'G': {  // BINFLOAT, big-endian
      const std::uint64_t bits = __builtin_bswap64(take_unsigned(8));
      double number = 0;
      std::memcpy(&number, &bits, sizeof(number));
      push(number);
      return true;
    }
    default:
      return false;
  }
}

std::int64_t PickleReader::parse_decimal(std::string_view line) const {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end != line.data() + line.size()) fail("{} is not a whole number", quoted(line));
  return number;
}

/// A signed little-endian integer of `size` bytes.
std::int64_t PickleReader::take_long(std::uint64_t size) {
  const std::string_view bytes = take(size);
  if (size > sizeof(std::int64_t)) fail("a whole number of {} bytes is too large", size);
  std::int64_t number = !bytes.empty() && bytes.back() < 0 ? -1 : 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return number;
}

bool PickleReader::run_text(char operation) {
  switch (operation) {
    case 'U':  // SHORT_BINSTRING: str of Python 2
    case 'C':  // SHORT_BINBYTES: bytes of Python 3
      push_text(take(take_unsigned(1)), false);
      return true;
    case 'T':  // BINSTRING
    case 'B':  // BINBYTES
      push_text(take(take_unsigned(4)), false);
      return true;
    case '\x8e':  // BINBYTES8
    case '\x96':  // BYTEARRAY8
      push_text(take(take_unsigned(8)), false);
      return true;
    case '\x8c':  // SHORT_BINUNICODE
      push_text(take(take_unsigned(1)), true);
      return true;
    case 'X':  // BINUNICODE
      push_text(take(take_unsigned(4)), true);
      return true;
    case '\x8d':  // BINUNICODE8
      push_text(take(take_unsigned(8)), true);
      return true;
    case 'S':  // STRING
      push_decoded_text(unescape(take_line()), false);
      return true;
    case 'V':  // UNICODE
      push_decoded_text(unescape_unicode(take_line()), true);
      return true;
    default:
      return false;
  }
}

/// Decodes a string literal as Python 2 prints it, in quotes.
std::string PickleReader::unescape(std::string_view line) const {
  constexpr std::string_view kLetters = "\\'\"nrt";
  constexpr std::string_view kMeanings = "\\'\"\n\r\t";
  if (line.size() < 2 || line.front() != line.back() || (line[0] != '\'' && line[0] != '"')) {
    fail("{} is not a string in quotes", quoted(line));
  }
  std::string text;
  for (std::string_view rest = line.substr(1, line.size() - 2); !rest.empty();) {
    if (rest[0] != '\\') {
      text += rest[0];
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t meaning = rest.size() < 2 ? std::string_view::npos : kLetters.find(rest[1]);
    unsigned code = 0;
    if (meaning != std::string_view::npos) {
      text += kMeanings[meaning];
      rest.remove_prefix(2);
    } else if (rest.size() >= 4 && rest[1] == 'x' &&
               std::from_chars(rest.data() + 2, rest.data() + 4, code, 16).ptr == rest.data() + 4) {
      text += static_cast<char>(static_cast<unsigned char>(code));
      rest.remove_prefix(4);
    } else {
      fail("{} holds an unknown escape", quoted(line));
    }
  }
  return text;
}

/// Decodes Python's raw-unicode-escape (Latin-1 with \u and \U for other characters) to UTF-8.
std::string PickleReader::unescape_unicode(std::string_view line) const {
  std::string text;
  while (!line.empty()) {
    const std::size_t digits = line.starts_with("\\u") ? 4 : line.starts_with("\\U") ? 8 : 0;
    std::uint32_t code = static_cast<unsigned char>(line[0]);
    if (digits > 0) {
      const char* end = line.data() + 2 + digits;
      if (line.size() < 2 + digits || std::from_chars(line.data() + 2, end, code, 16).ptr != end) {
        fail("{} is not an escaped character", quoted(line));
      }
    }
    if (!is_character(code)) fail("{} is not an escaped character", quoted(line));
    append_utf8(text, code);
    line.remove_prefix(digits > 0 ? 2 + digits : 1);
  }
  return text;
}

}  // namespace gir
