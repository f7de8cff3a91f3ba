#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fields.h"
#include "gir/core/parallel.h"
#include "line_blocks.h"

namespace gir {

/// The data lines of a text (neither blank nor comments), numbered 0, 1, ... regardless of the lines between them, so
/// that threads can parse each line directly into its row of a table. Where the syntax has quotes, a data line is a
/// record and may hold line breaks.
class DataLines {
 public:
  /// `first_line` is the line number of the first line of `text` in its file. O(size of text), in parallel.
  DataLines(std::string_view text, const RecordSyntax& syntax, std::int64_t first_line = 1);

  std::int64_t size() const { return before_block_.back(); }

  /// Number of comment lines.
  std::int64_t comments() const { return comments_; }

  /// Calls `use(row, line_number, line)` for every data line, in parallel. The exception of the first line that throws
  /// is rethrown.
  template <typename Use>
  void for_each(const Use& use) const {
    parallel_blocks(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t b) { walk_block(b, use); });
  }

  struct Line {
    std::int64_t number = 0;  ///< in its file, from 1
    std::string_view text;
  };

  /// Data line `row`. Scans a block of the text: for single lines only.
  Line line(std::int64_t row) const;

 private:
  bool is_data(std::string_view line) const {
    line = trimmed(line);
    if (syntax_.skips_empty_rows && is_empty_row(line, syntax_.separator)) return false;
    return !line.empty() && syntax_.comments.find(line[0]) == std::string_view::npos;
  }

  template <typename Use>
  void walk_block(std::int64_t b, const Use& use) const {
    const LineBlock& block = blocks_[static_cast<std::size_t>(b)];
    std::int64_t row = before_block_[static_cast<std::size_t>(b)];
    std::int64_t line_number = first_line_ + block.first_line;
    for (std::string_view rest = block.text; !rest.empty(); ++line_number) {
      const std::string_view line = take_record(rest, syntax_);
      if (is_data(line)) use(row++, line_number, line);
      if (syntax_.quotes) line_number += std::count(line.begin(), line.end(), '\n');
    }
  }

  std::vector<LineBlock> blocks_;
  std::int64_t comments_ = 0;
  std::vector<std::int64_t> before_block_;  ///< number of data lines before every block; the total is the last entry
  RecordSyntax syntax_;
  std::int64_t first_line_;
};

}  // namespace gir
