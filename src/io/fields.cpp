#include "fields.h"

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
