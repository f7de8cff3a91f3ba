#include "separators.h"

#include <algorithm>

#include "fields.h"

namespace gir {
namespace {

/// How often `separator` occurs outside of quotes.
std::int64_t count_unquoted(std::string_view line, char separator) {
  std::int64_t count = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    count += !quoted && c == separator ? 1 : 0;
  }
  return count;
}

bool has_whole_quotes(std::string_view line) { return std::count(line.begin(), line.end(), '"') % 2 == 0; }

bool occurs_equally_often(const std::vector<DataLines::Line>& lines, char separator) {
  const std::int64_t expected = count_unquoted(lines.front().text, separator);
  return expected > 0 && std::all_of(lines.begin(), lines.end(), [&](const auto& line) {
           return !has_whole_quotes(line.text) || count_unquoted(line.text, separator) == expected;
         });
}

/// Whether all lines are two ids and a weight between blanks, with a decimal comma in at least one weight.
bool have_decimal_commas(const std::vector<DataLines::Line>& lines) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  bool found = false;
  for (const DataLines::Line& line : lines) {
    const auto cells = split_cells(line.text, ' ');
    if (cells.size() != 3) return false;
    const std::string& weight = cells[2];
    const auto comma = weight.find(',');
    if (count_unquoted(line.text, ',') > (comma == std::string::npos ? 0 : 1)) return false;
    if (comma == std::string::npos) continue;
    if (comma == 0 || comma + 1 == weight.size() || !is_digit(weight[comma - 1]) || !is_digit(weight[comma + 1])) {
      return false;
    }
    found = true;
  }
  return found;
}

}  // namespace

std::vector<DataLines::Line> first_lines(std::string_view text, const RecordSyntax& syntax, std::size_t count) {
  std::vector<DataLines::Line> lines;
  for (std::int64_t number = 1; !text.empty() && lines.size() < count;) {
    const std::string_view line = take_record(text, syntax);
    const std::string_view content = trimmed(line);
    const bool is_empty = content.empty() || (syntax.skips_empty_rows && is_empty_row(content, syntax.separator));
    if (!is_empty && syntax.comments.find(content[0]) == std::string_view::npos) lines.push_back({number, line});
    number += 1 + std::count(line.begin(), line.end(), '\n');
  }
  return lines;
}

char detect_separator(const std::vector<DataLines::Line>& lines) {
  if (lines.empty()) return ' ';
  const std::string_view first = trimmed(lines.front().text);
  if (count_unquoted(first, '\t') > 0) return '\t';
  for (const char separator : {';', '|'}) {
    if (occurs_equally_often(lines, separator)) return separator;
  }
  return count_unquoted(first, ',') > 0 && !have_decimal_commas(lines) ? ',' : ' ';
}

std::vector<std::string> split_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  std::string unquoted;
  std::optional<std::string_view> rest = line;
  while (const auto cell = take_cell(rest, separator, unquoted)) cells.emplace_back(*cell);
  return cells;
}

}  // namespace gir
