#include "text_table.h"

#include "fields.h"
#include "gir/core/error.h"
#include "separators.h"

namespace gir {
namespace {

constexpr std::size_t kLinesToDetectSeparator = 20;

RecordSyntax detect_syntax(const std::filesystem::path& path, std::string_view text, std::string_view comments) {
  const auto lines = first_lines(text, {.comments = comments}, kLinesToDetectSeparator);
  if (lines.empty()) throw UserError(path, "has no rows [a table has one row per line]");
  return {
      .comments = comments, .separator = detect_separator(lines), .quotes = text.find('"') != std::string_view::npos};
}

}  // namespace

TextTable::TextTable(const std::filesystem::path& path, std::string_view comments)
    : TextTable(path, std::make_unique<TextFile>(path), comments) {}

TextTable::TextTable(const std::filesystem::path& path, std::unique_ptr<const TextFile> file, std::string_view comments)
    : path_(path),
      file_(std::move(file)),
      syntax_(detect_syntax(path, file_->text(), comments)),
      lines_(file_->text(), syntax_) {
  for (const auto& line : first_lines(file_->text(), syntax_, kSampleRows)) {
    first_rows_.push_back(split_cells(line.text, syntax_.separator));
  }
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
