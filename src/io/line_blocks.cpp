#include "line_blocks.h"

#include <algorithm>

#include "gir/core/parallel.h"

namespace gir {

std::vector<LineBlock> cut_into_line_blocks(std::string_view text, std::int64_t bytes) {
  std::vector<LineBlock> blocks;
  while (!text.empty()) {
    const auto cut = text.find('\n', std::min(static_cast<std::size_t>(bytes), text.size()) - 1);
    const std::size_t size = cut == std::string_view::npos ? text.size() : cut + 1;
    blocks.push_back({.text = text.substr(0, size)});
    text.remove_prefix(size);
  }
  parallel_blocks(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t i) {
    LineBlock& block = blocks[static_cast<std::size_t>(i)];
    block.lines = std::count(block.text.begin(), block.text.end(), '\n') + (block.text.back() != '\n' ? 1 : 0);
  });
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    blocks[i].first_line = blocks[i - 1].first_line + blocks[i - 1].lines;
  }
  return blocks;
}

std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace gir
