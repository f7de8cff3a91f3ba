#include "gir/core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>

namespace gir {
namespace {

/// Levenshtein distance: insertions, deletions and substitutions of single bytes. O(|a| |b|) time, O(|b|) memory.
int edit_distance(std::string_view a, std::string_view b) {
  // row[j] is the distance between the first i bytes of a and the first j bytes of b; `diagonal` is the value that
  // row[j] had for i - 1.
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string canonical_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> nearest_first(std::string_view wanted, std::vector<std::string> names) {
  const auto distance = [&](const std::string& name) {
    return edit_distance(canonical_name(wanted), canonical_name(name));
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  return names;
}

std::vector<std::string> similar_names(std::string_view wanted, std::vector<std::string> names, std::size_t count) {
  constexpr std::size_t kMaxErrors = 3;
  constexpr std::size_t kShortestPrefix = 3;  // too many names begin with a shorter one
  const auto allowed = static_cast<int>(std::min(kMaxErrors, (wanted.size() + 2) / 3));
  std::erase_if(names, [&](const std::string& name) {
    const bool is_prefix = wanted.size() >= kShortestPrefix && name.starts_with(wanted);
    return !is_prefix && edit_distance(wanted, name) > allowed;
  });
  names = nearest_first(wanted, std::move(names));
  if (names.size() > count) names.resize(count);
  return names;
}

std::string join(const std::vector<std::string>& items, std::string_view separator) {
  return fmt::format("{}", fmt::join(items, separator));
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    const std::size_t first = item.find_first_not_of(" \t");
    if (first != std::string_view::npos)
      items.emplace_back(item.substr(first, item.find_last_not_of(" \t") + 1 - first));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
    if (text.empty()) parts.emplace_back();
  }
  return parts;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string with_thousands(std::int64_t number) {
  std::string digits = std::to_string(number);
  // From the right; never directly behind a minus sign.
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string human_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  // Nothing is special inside single quotes but the quote itself, which has to be written outside of them.
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace gir
