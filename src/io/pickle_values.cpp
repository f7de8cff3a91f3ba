#include <charconv>
#include <cstring>

#include "pickle_reader.h"
#include "utf8.h"

namespace gir {

bool PickleReader::run_number(char operation) {
  const auto push_integer = [this](std::uint64_t number) { push(static_cast<std::int64_t>(number)); };
  switch (operation) {
    case 'N':
      push(std::monostate());
      return true;
    case '\x88':
    case '\x89':
      push(operation == '\x88');
      return true;
    case 'K':
      push_integer(take_unsigned(1));
      return true;
    case 'M':
      push_integer(take_unsigned(2));
      return true;
    case 'J':
      push(std::int64_t{static_cast<std::int32_t>(take_unsigned(4))});
      return true;
    case '\x8a':
      push(take_long(take_unsigned(1)));
      return true;
    case '\x8b':
      push(take_long(take_unsigned(4)));
      return true;
    case 'I': {
      const std::string_view line = take_line();
      line == "00" || line == "01" ? push(line == "01") : push(parse_decimal(line));
      return true;
    }
    case 'L': {
      std::string_view line = take_line();
      if (line.ends_with('L')) line.remove_suffix(1);
      push(parse_decimal(line));
      return true;
    }
    case 'F': {
      const std::string_view line = take_line();
      double number = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
      if (error != std::errc() || end != line.data() + line.size()) fail("{} is not a number", quoted(line));
      push(number);
      return true;
    }
    case 'G': {
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

/// A signed number of that many bytes, lowest first.
std::int64_t PickleReader::take_long(std::uint64_t size) {
  const std::string_view bytes = take(size);
  if (size > sizeof(std::int64_t)) fail("a whole number of {} bytes is too large", size);
  std::int64_t number = !bytes.empty() && bytes.back() < 0 ? -1 : 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return number;
}

bool PickleReader::run_text(char operation) {
  switch (operation) {
    case 'U':  // str of Python 2, bytes of Python 3: up to 255 bytes
    case 'C':
      push_text(take(take_unsigned(1)), false);
      return true;
    case 'T':
    case 'B':
      push_text(take(take_unsigned(4)), false);
      return true;
    case '\x8e':
    case '\x96':
      push_text(take(take_unsigned(8)), false);
      return true;
    case '\x8c':
      push_text(take(take_unsigned(1)), true);
      return true;
    case 'X':
      push_text(take(take_unsigned(4)), true);
      return true;
    case '\x8d':
      push_text(take(take_unsigned(8)), true);
      return true;
    case 'S':
      push_made_text(unescape(take_line()), false);
      return true;
    case 'V':
      push_made_text(unescape_unicode(take_line()), true);
      return true;
    default:
      return false;
  }
}

/// A text as Python 2 prints it, in quotes.
std::string PickleReader::unescape(std::string_view line) const {
  constexpr std::string_view kLetters = "\\'\"nrt";
  constexpr std::string_view kMeanings = "\\'\"\n\r\t";
  if (line.size() < 2 || line.front() != line.back() || (line[0] != '\'' && line[0] != '"')) {
    fail("{} is not a text in quotes", quoted(line));
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

/// Latin-1 with \u and \U for the rest, to UTF-8.
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
