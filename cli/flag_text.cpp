#include "flag_text.h"

#include <algorithm>

namespace gir::cli {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_name_character(char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '-'; }

/// Length of the setting that `text` begins with, which a backtick must end; 0 where there is none.
std::size_t setting_length(std::string_view text) {
  if (text.empty() || !is_lower(text.front())) return 0;
  const auto end = std::find_if_not(text.begin(), text.end(), is_name_character);
  return end != text.end() && *end == '`' ? static_cast<std::size_t>(end - text.begin()) : 0;
}

}  // namespace

std::string with_flags(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t backtick = std::min(text.find('`'), text.size());
    result += text.substr(0, backtick);
    text.remove_prefix(backtick);
    if (text.empty()) break;
    const std::size_t length = setting_length(text.substr(1));
    if (length > 0) {
      result += "--";
      result += text.substr(1, length);
      text.remove_prefix(length + 2);
    } else {
      result += '`';
      text.remove_prefix(1);
    }
  }
  return result;
}

std::vector<std::string> with_flags(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(with_flags(text));
  return result;
}

}  // namespace gir::cli
