#include "dictionaries.h"

#include "fields.h"

namespace gir {
namespace {

constexpr std::string_view kSeparators = " \t,;|";

std::string_view without_separators(std::string_view text) {
  const auto last = text.find_last_not_of(kSeparators);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The position after the text in quotes that begins at `open`.
std::size_t end_of_python_text(std::string_view text, std::size_t open) {
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[open]) {
      return i + 1;
    }
  }
  return text.size();
}

/// The position of `end` from `from` on, outside of quotes and brackets; the size of the text where there is none.
std::size_t find_outside(std::string_view text, std::size_t from, char end) {
  std::int64_t depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && c == end) return i;
    if (c == '\'' || c == '"') i = end_of_python_text(text, i) - 1;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  return text.size();
}

std::string_view without_quotes(std::string_view text) {
  const bool has_quotes = text.size() > 1 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
  return has_quotes ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::size_t find_dictionary(std::string_view line) {
  if (!trimmed(line).ends_with('}')) return std::string_view::npos;
  for (auto open = line.find('{'); open != std::string_view::npos; open = line.find('{', open + 1)) {
    const std::string_view before = without_separators(line.substr(0, open));
    if (before.size() < open && trimmed(before).find_first_of(kSeparators) != std::string_view::npos) return open;
  }
  return std::string_view::npos;
}

std::string_view without_dictionary(std::string_view line) {
  const std::size_t open = find_dictionary(line);
  if (open == std::string_view::npos) return line;
  line = trimmed(line.substr(0, open));
  if (!line.empty() && kSeparators.find(line.back()) != std::string_view::npos) line.remove_suffix(1);
  return trimmed(line);
}

std::vector<DictionaryEntry> entries_of(std::string_view dictionary) {
  dictionary = trimmed(dictionary);
  if (dictionary.starts_with('{')) dictionary.remove_prefix(1);
  if (dictionary.ends_with('}')) dictionary.remove_suffix(1);
  std::vector<DictionaryEntry> entries;
  for (std::size_t begin = 0; begin < dictionary.size();) {
    const std::size_t end = find_outside(dictionary, begin, ',');
    const std::string_view entry = dictionary.substr(begin, end - begin);
    const std::size_t colon = find_outside(entry, 0, ':');
    if (colon < entry.size()) {
      entries.push_back(
          {.key = without_quotes(trimmed(entry.substr(0, colon))), .value = trimmed(entry.substr(colon + 1))});
    }
    begin = end + 1;
  }
  return entries;
}

std::string_view bare_number(std::string_view value) {
  const auto open = value.find('(');
  return value.ends_with(')') && open != std::string_view::npos ? value.substr(open + 1, value.size() - open - 2)
                                                                : value;
}

}  // namespace gir
