#pragma once

#include <string>
#include <string_view>

namespace gir {

/// `text` as a cell of a CSV or TSV file that is read back as the same text: in quotes (RFC 4180) where it contains
/// quotes, a line break, or what could be taken for the separator of the file, where it begins like a comment, and
/// where it has blanks at its ends. ' ' stands for files whose cells are separated by runs of blanks.
inline std::string csv_cell(std::string_view text, char separator) {
  const std::string_view separators = separator == '\t' ? "\t" : separator == ',' ? ",;|\t" : " ,;|\t";
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool has_separators = text.find(separator) != std::string_view::npos ||
                              text.find_first_of(separators) != std::string_view::npos ||
                              text.find_first_of("\"\r\n") != std::string_view::npos;
  const bool begins_or_ends_specially =
      !text.empty() && (text[0] == '#' || text[0] == '%' || is_blank(text[0]) || is_blank(text.back()));
  if (!has_separators && !begins_or_ends_specially) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

/// csv_cell() for the id of a node: an empty one is "", since lines without an id are skipped. In lists with an id per
/// line the separator is a tab.
inline std::string id_cell(std::string_view id, char separator) {
  return id.empty() ? "\"\"" : csv_cell(id, separator);
}

}  // namespace gir
