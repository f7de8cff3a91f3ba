#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data_lines.h"
#include "gir/graph/node_names.h"
#include "gir/io/gzip.h"

namespace gir {

/// A text file of cells, one row per line. Cells may be quoted as in RFC 4180 and hold line breaks then.
class TextTable {
 public:
  /// `comments`: characters that comment lines begin with.
  explicit TextTable(const std::filesystem::path& path, std::string_view comments = "#");

  /// `are_edges`: rows may end with attributes as networkx writes them, which first_rows() and the separator ignore,
  /// see dictionaries.h; rows of empty cells are none.
  TextTable(const std::filesystem::path& path, std::unique_ptr<const TextFile> file, std::string_view comments,
            bool are_edges = false);

  const std::filesystem::path& path() const { return path_; }
  std::string_view text() const { return file_->text(); }

  /// Tab, comma, semicolon, pipe, or ' ' for any run of blanks, see detect_separator().
  char separator() const { return syntax_.separator; }

  /// The cells of the first rows, with the header where there is one. At least one row, at most kSampleRows.
  const std::vector<std::vector<std::string>>& first_rows() const { return first_rows_; }

  /// The cells of the first row.
  const std::vector<std::string>& first_row() const { return first_rows_.front(); }

  /// Declares the first row a header: the functions below do not count it.
  void skip_header() { header_rows_ = 1; }

  /// Rows without the header.
  std::int64_t rows() const { return lines_.size() - header_rows_; }

  /// The text of a row.
  std::string_view row(std::int64_t row) const { return lines_.line(row + header_rows_).text; }

  /// Line number of a row in the file.
  std::int64_t line_number(std::int64_t row) const { return lines_.line(row + header_rows_).number; }

  /// A note on comment lines that may be rows: those below the first row, and those that have as many cells and no
  /// blank after the mark. Lines that begin with `own` are comments for sure. Empty where there are none.
  std::string note_on_comments(std::string_view own = {}) const;

  /// Calls `use(row, line_number, line)` for every row after the header, in parallel.
  template <typename Use>
  void for_each_row(const Use& use) const {
    lines_.for_each([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
      if (row >= header_rows_) use(row - header_rows_, line_number, line);
    });
  }

 private:
  static constexpr std::size_t kSampleRows = 20;

  std::filesystem::path path_;
  std::unique_ptr<const TextFile> file_;
  RecordSyntax syntax_;
  DataLines lines_;
  std::vector<std::vector<std::string>> first_rows_;
  std::int64_t header_rows_ = 0;
};

/// The cell in `column` of a line, a part of `line` or of `unquoted`; nothing where the line is shorter.
std::optional<std::string_view> cell_at(std::string_view line, char separator, std::size_t column,
                                        std::string& unquoted);

}  // namespace gir
