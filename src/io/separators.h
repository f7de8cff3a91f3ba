#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data_lines.h"

namespace gir {

/// The first data lines of a text, at most `count`.
std::vector<DataLines::Line> first_lines(std::string_view text, const RecordSyntax& syntax, std::size_t count);

/// What separates the cells of a table with these first lines: a tab that occurs in the first, else a semicolon or pipe
/// that occurs equally often in all of them, else a comma that occurs in the first (unless it
/// is a decimal one in lines of two ids and a weight), else ' ' for runs of blanks. Quoted
/// text does not count.
char detect_separator(const std::vector<DataLines::Line>& lines);

/// The cells of a line, without the quotes around them.
std::vector<std::string> split_cells(std::string_view line, char separator);

}  // namespace gir
