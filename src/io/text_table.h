#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data_lines.h"
#include "gir/graph/node_names.h"
#include "gir/io/gzip.h"

namespace gir {

/// A text file of cells, one row per line, with at most one row per node.
class TextTable {
 public:
  explicit TextTable(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::string_view text() const { return file_.text(); }

  /// Tab, comma, or ' ' for any run of blanks, as in the first row.
  char separator() const { return separator_; }

  /// The cells of the first row, the header where there is one.
  const std::vector<std::string>& first_row() const { return first_row_; }

  /// Declares the first row a header: the functions below do not count it.
  void skip_header() { header_rows_ = 1; }

  /// Rows without the header.
  std::int64_t rows() const { return lines_.size() - header_rows_; }

  /// Line number of a row in the file.
  std::int64_t line_number(std::int64_t row) const { return lines_.line(row + header_rows_).number; }

  /// Calls `use(row, line_number, line)` for every row after the header, in parallel.
  template <typename Use>
  void for_each_row(const Use& use) const {
    lines_.for_each([&](std::int64_t row, std::int64_t line_number, std::string_view line) {
      if (row >= header_rows_) use(row - header_rows_, line_number, line);
    });
  }

  /// The nodes named by the first cell of every row. UserError for unknown and repeated nodes.
  std::vector<NodeId> nodes_by_id(const NodeNames& names) const;

 private:
  std::filesystem::path path_;
  TextFile file_;
  DataLines lines_;
  char separator_ = ' ';
  std::vector<std::string> first_row_;
  std::int64_t header_rows_ = 0;
};

/// UserError where the number of rows is not the number of nodes. `what` describes the rows: "rows of features",
/// "labels".
void check_row_count(const std::string& where, std::int64_t rows, std::string_view what, const NodeNames& names);

}  // namespace gir
