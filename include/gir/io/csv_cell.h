#pragma once

#include <string>
#include <string_view>

namespace gir {

/// `text` as a cell of a CSV or TSV file: in quotes where it contains the separator, quotes or a line break.
inline std::string csv_cell(std::string_view text, char separator) {
  if (text.find(separator) == std::string_view::npos && text.find_first_of("\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

}  // namespace gir
