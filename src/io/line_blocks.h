#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gir {

/// A piece of a text that begins at the start of a line and ends behind a line break (or at the text's end).
struct LineBlock {
  std::string_view text;
  std::int64_t first_line = 0;  ///< lines before this block
  std::int64_t lines = 0;
};

/// Cuts a text into blocks of about `bytes` that threads can parse on their own, and counts their lines.
/// The cuts depend on the text alone. O(size), in parallel.
std::vector<LineBlock> cut_into_line_blocks(std::string_view text, std::int64_t bytes = 1 << 20);

/// Takes the first line off `rest`, without its line break ("\n" or "\r\n").
std::string_view take_line(std::string_view& rest);

}  // namespace gir
