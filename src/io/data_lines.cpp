#include "data_lines.h"

#include <algorithm>
#include <atomic>

#include "gir/core/error.h"

namespace gir {

DataLines::DataLines(std::string_view text, const RecordSyntax& syntax, std::int64_t first_line)
    : blocks_(cut_into_record_blocks(text, syntax)),
      before_block_(blocks_.size() + 1, 0),
      syntax_(syntax),
      first_line_(first_line) {
  std::atomic<std::int64_t> comments = 0;
  parallel_blocks(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t b) {
    std::int64_t count = 0;
    std::int64_t others = 0;
    for (std::string_view rest = blocks_[static_cast<std::size_t>(b)].text; !rest.empty();) {
      const std::string_view line = take_record(rest, syntax_);
      const bool data = is_data(line);
      count += data ? 1 : 0;
      others += !data && !trimmed(line).empty() ? 1 : 0;
    }
    before_block_[static_cast<std::size_t>(b) + 1] = count;
    comments += others;
  });
  comments_ = comments;
  for (std::size_t b = 0; b < blocks_.size(); ++b) before_block_[b + 1] += before_block_[b];
}

DataLines::Line DataLines::line(std::int64_t row) const {
  ensure(row >= 0 && row < size(), "no such data line");
  const auto block = std::upper_bound(before_block_.begin(), before_block_.end(), row) - before_block_.begin() - 1;
  Line found;
  walk_block(block, [&](std::int64_t at, std::int64_t number, std::string_view text) {
    if (at == row) found = {number, text};
  });
  return found;
}

}  // namespace gir
