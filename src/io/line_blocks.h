#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gir {

/// A block of complete lines of a text.
struct LineBlock {
  std::string_view text;
  std::int64_t first_line = 0;  ///< number of lines before this block
  std::int64_t lines = 0;
};

/// Divides a text into blocks of about `bytes` bytes that threads can parse independently, and counts their lines. The
/// blocks do not depend on the number of threads. O(size), in parallel.
std::vector<LineBlock> cut_into_line_blocks(std::string_view text, std::int64_t bytes = 1 << 20);

/// Removes the first line from `rest` and returns it without its line break ("\n" or "\r\n").
std::string_view take_line(std::string_view& rest);

/// How a text of cells is divided into records.
struct RecordSyntax {
  std::string_view comments = "#";  ///< characters that comment lines begin with
  char separator = ' ';             ///< of cells; ' ' stands for runs of blanks
  bool quotes = false;              ///< cells may be quoted, and hold line breaks then
  bool skips_empty_rows = false;    ///< rows without any content (",,,", as spreadsheets write) are no rows
};

/// Removes the first record from `rest`: a line, or several where a quoted cell holds line breaks.
std::string_view take_record(std::string_view& rest, const RecordSyntax& syntax);

/// cut_into_line_blocks() into blocks of complete records. One pass over the whole text where it has quotes.
std::vector<LineBlock> cut_into_record_blocks(std::string_view text, const RecordSyntax& syntax,
                                              std::int64_t bytes = 1 << 20);

}  // namespace gir
