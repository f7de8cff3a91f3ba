#include "line_blocks.h"

#include <algorithm>

#include "fields.h"
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

namespace {

/// Number of bytes of the first record, without its line break.
std::size_t record_length(std::string_view text, char separator) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  std::size_t i = 0;
  while (i < text.size() && text[i] != '\n') {
    while (i < text.size() && is_blank(text[i]) && text[i] != separator) ++i;
    if (i < text.size() && text[i] == '"') {
      const std::size_t end = end_of_quoted(text, i, separator);
      i = end == std::string_view::npos ? i + 1 : end;
    }
    while (i < text.size() && text[i] != '\n' && text[i] != separator) ++i;
    if (i < text.size() && text[i] == separator) ++i;
  }
  return i;
}

bool is_comment(std::string_view line, std::string_view marks) {
  line = trimmed(line);
  return !line.empty() && marks.find(line[0]) != std::string_view::npos;
}

}  // namespace

std::string_view take_record(std::string_view& rest, const RecordSyntax& syntax) {
  if (!syntax.quotes || syntax.separator == ' ') return take_line(rest);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.find('"') == std::string_view::npos || is_comment(line, syntax.comments)) return take_line(rest);
  const std::size_t length = record_length(rest, syntax.separator);
  std::string_view record = rest.substr(0, length);
  rest.remove_prefix(std::min(rest.size(), length + 1));
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

std::vector<LineBlock> cut_into_record_blocks(std::string_view text, const RecordSyntax& syntax, std::int64_t bytes) {
  if (!syntax.quotes || syntax.separator == ' ') return cut_into_line_blocks(text, bytes);
  std::vector<LineBlock> blocks;
  std::int64_t lines = 0;
  while (!text.empty()) {
    std::string_view rest = text;
    while (!rest.empty() && text.size() - rest.size() < static_cast<std::size_t>(bytes)) take_record(rest, syntax);
    LineBlock block{.text = text.substr(0, text.size() - rest.size()), .first_line = lines};
    block.lines = std::count(block.text.begin(), block.text.end(), '\n') + (block.text.back() != '\n' ? 1 : 0);
    lines += block.lines;
    blocks.push_back(block);
    text = rest;
  }
  return blocks;
}

}  // namespace gir
