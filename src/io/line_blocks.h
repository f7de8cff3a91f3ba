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

}  // namespace gir
