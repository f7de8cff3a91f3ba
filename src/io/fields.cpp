#include "fields.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace gir {
namespace {

// Plain loops: std::string_view::find_first_of makes a library call per byte, and large files have many.
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// std::from_chars does not accept a plus sign, but files contain them.
std::string_view without_plus(std::string_view field) {
  const bool plus = field.size() > 1 && field[0] == '+' && field[1] != '-';
  return field.substr(plus ? 1 : 0);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const char* first = text.data();
  const char* last = first + text.size();
  while (first != last && is_blank(*first)) ++first;
  while (first != last && is_blank(last[-1])) --last;
  return {first, static_cast<std::size_t>(last - first)};
}

bool is_empty_row(std::string_view line, char separator) {
  return std::all_of(line.begin(), line.end(), [&](char c) { return c == separator || c == ' ' || c == '\t'; });
}

std::string_view take_field(std::string_view& rest) {
  const char* first = rest.data();
  const char* const end = first + rest.size();
  while (first != end && is_blank(*first)) ++first;
  const char* last = first;
  while (last != end && !is_blank(*last)) ++last;
  rest = {last, static_cast<std::size_t>(end - last)};
  return {first, static_cast<std::size_t>(last - first)};
}

std::optional<std::string_view> take_field(std::optional<std::string_view>& rest, char separator) {
  if (!rest) return std::nullopt;
  if (separator == ' ') {
    const std::string_view field = take_field(*rest);
    if (field.empty()) rest.reset();
    return field.empty() ? std::nullopt : std::optional(field);
  }
  const auto end = rest->find(separator);
  const std::string_view field = trimmed(rest->substr(0, end));
  if (end == std::string_view::npos) {
    rest.reset();
  } else {
    rest->remove_prefix(end + 1);
  }
  return field;
}

namespace {

/// The position of the first character from `from` on that is no blank, or separates cells.
std::size_t skip_blanks(std::string_view text, std::size_t from, char separator) {
  while (from < text.size() && is_blank(text[from]) && (separator == ' ' || text[from] != separator)) ++from;
  return from;
}

}  // namespace

std::size_t end_of_quoted(std::string_view text, std::size_t open, char separator) {
  // A stray quote must neither swallow a file nor make reading it quadratic.
  constexpr std::size_t kLongest = 1 << 16;
  const std::size_t last = std::min(text.size(), open + kLongest);
  for (std::size_t i = open + 1; i < last; ++i) {
    if (text[i] != '"') continue;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      ++i;
      continue;
    }
    const std::size_t next = skip_blanks(text, i + 1, separator);
    const bool closes = next == text.size() || text[next] == separator || text[next] == '\n' || text[next] == '\r' ||
                        (separator == ' ' && next > i + 1);
    return closes ? i + 1 : std::string_view::npos;
  }
  return std::string_view::npos;
}

std::optional<std::string_view> take_cell(std::optional<std::string_view>& rest, char separator,
                                          std::string& unquoted) {
  if (!rest) return std::nullopt;
  const std::size_t open = skip_blanks(*rest, 0, separator);
  if (open == rest->size() || (*rest)[open] != '"') return take_field(rest, separator);
  const std::size_t end = end_of_quoted(*rest, open, separator);
  if (end == std::string_view::npos) return take_field(rest, separator);
  const std::string_view content = rest->substr(open + 1, end - open - 2);
  const std::size_t next = skip_blanks(*rest, end, separator);
  if (next == rest->size()) {
    rest.reset();
  } else {
    rest->remove_prefix(separator == ' ' ? next : next + 1);
  }
  if (content.find('"') == std::string_view::npos) return content;
  unquoted.clear();
  for (std::size_t i = 0; i < content.size(); ++i) {
    unquoted += content[i];
    if (content[i] == '"') ++i;  // the second of two
  }
  return unquoted;
}

std::optional<float> parse_float(std::string_view field) {
  field = without_plus(field);
  const char* const last = field.data() + field.size();
  float value = 0;
  const auto [end, error] = std::from_chars(field.data(), last, value);
  if (error == std::errc::invalid_argument || end != last) return std::nullopt;
  if (error == std::errc()) return value;
  // Out of range: as a double, tiny numbers (which become 0) differ from huge ones (which become infinite).
  double wide = std::numeric_limits<double>::infinity();
  std::from_chars(field.data(), last, wide);
  return static_cast<float>(wide);
}

}  // namespace gir
