#include "text_table.h"

#include <algorithm>

#include "dictionaries.h"
#include "fields.h"
#include "foreign_files.h"
#include "gir/core/error.h"
#include "separators.h"

namespace gir {
namespace {

constexpr std::size_t kLinesToDetectSeparator = 20;

RecordSyntax detect_syntax(const std::filesystem::path& path, std::string_view text, std::string_view comments,
                           bool are_edges) {
  auto lines = first_lines(text, {.comments = comments}, kLinesToDetectSeparator);
  if (are_edges) {
    for (DataLines::Line& line : lines) line.text = without_dictionary(line.text);
  }
  if (lines.empty()) throw UserError(path, "has no rows [a table has one row per line]");
  return {.comments = comments,
          .separator = detect_separator(lines),
          .quotes = text.find('"') != std::string_view::npos,
          .skips_empty_rows = are_edges};
}

std::unique_ptr<const TextFile> open_table(const std::filesystem::path& path) {
  auto file = std::make_unique<const TextFile>(path);
  check_is_table(path, file->text());
  return file;
}

}  // namespace

TextTable::TextTable(const std::filesystem::path& path, std::string_view comments)
    : TextTable(path, open_table(path), comments) {}

TextTable::TextTable(const std::filesystem::path& path, std::unique_ptr<const TextFile> file, std::string_view comments,
                     bool are_edges)
    : path_(path),
      file_(std::move(file)),
      syntax_(detect_syntax(path, file_->text(), comments, are_edges)),
      lines_(file_->text(), syntax_) {
  for (const auto& line : first_lines(file_->text(), syntax_, kSampleRows)) {
    first_rows_.push_back(split_cells(are_edges ? without_dictionary(line.text) : line.text, syntax_.separator));
  }
}

std::string TextTable::note_on_comments(std::string_view own) const {
  if (lines_.comments() == 0) return {};
  const std::int64_t first_row = lines_.line(0).number;
  const auto may_be_row = [&](std::string_view comment) {
    return syntax_.separator != ' ' && comment.size() > 1 && comment[1] != ' ' &&
           split_cells(comment, syntax_.separator).size() == first_rows_.front().size();
  };
  std::int64_t count = 0;
  std::string example;
  std::int64_t number = 1;
  for (std::string_view rest = text(); !rest.empty(); ++number) {
    const std::string_view line = take_record(rest, syntax_);
    const std::string_view content = trimmed(line);
    const bool is_comment = !content.empty() && syntax_.comments.find(content[0]) != std::string_view::npos;
    const bool is_own = !own.empty() && content.starts_with(own);
    if (is_comment && !is_own && (number > first_row || may_be_row(content)) && ++count == 1) {
      example = fmt::format("{}:{}: {}", path_.string(), number, quoted(content));
    }
    number += std::count(line.begin(), line.end(), '\n');
  }
  if (count == 0) return {};
  const std::string more = count == 1 ? "" : fmt::format(", and so are {} more lines", count - 1);
  return fmt::format("{} is skipped as a comment{} [put ids that begin with # or % into quotes]", example, more);
}

std::optional<std::string_view> cell_at(std::string_view line, char separator, std::size_t column,
                                        std::string& unquoted) {
  std::optional<std::string_view> rest = line;
  for (std::size_t i = 0; i < column; ++i) {
    if (!take_cell(rest, separator, unquoted)) return std::nullopt;
  }
  return take_cell(rest, separator, unquoted);
}

}  // namespace gir
