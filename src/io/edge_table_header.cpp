#include "edge_table_header.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "fields.h"
#include "gir/core/error.h"
#include "number_style.h"

namespace gir {
namespace {

/// Whether all rows but the first have the same width, and different values in the first column.
bool numbers_rows(const std::vector<Cells>& rows) {
  std::set<std::string_view> seen;
  return rows.size() > 2 && std::all_of(rows.begin() + 1, rows.end(), [&](const Cells& row) {
           return row.size() == rows[1].size() && seen.insert(row[0]).second;
         });
}

}  // namespace

bool is_numeric(const std::vector<Cells>& rows, std::size_t column, std::size_t from_row) {
  std::int64_t numbers = 0;
  for (std::size_t i = from_row; i < rows.size(); ++i) {
    if (column >= rows[i].size() || rows[i][column].empty()) continue;
    if (!is_number_of_any_style(rows[i][column])) return false;
    ++numbers;
  }
  return numbers > 0;
}

bool has_unnamed_index(const std::vector<Cells>& rows) {
  if (rows.size() < 2) return false;
  const Cells& first = rows[0];
  const auto has_words = [&](std::size_t from) {
    return std::none_of(first.begin() + static_cast<std::ptrdiff_t>(from), first.end(),
                        [](const auto& cell) { return cell.empty(); });
  };
  if (first.size() + 1 == rows[1].size() && rows[1].size() >= 3) return has_words(0) && numbers_rows(rows);
  const bool is_unnamed = first[0].empty() || first[0].starts_with("Unnamed:");
  return first.size() >= 3 && first.size() == rows[1].size() && is_unnamed && has_words(1);
}

bool has_words_over_numbers(const std::vector<Cells>& rows) {
  for (std::size_t column = 0; column < rows[0].size(); ++column) {
    const std::string& first = rows[0][column];
    if (!first.empty() && !is_number_of_any_style(first) && is_numeric(rows, column, 1)) return true;
  }
  return false;
}

bool has_marks(const std::vector<Cells>& rows, std::size_t column) {
  return std::all_of(rows.begin(), rows.end(), [&](const Cells& row) {
    return column < row.size() && row[column] == rows[0][column] &&
           row[column].find_first_not_of("-<>=~|:") == std::string::npos;
  });
}

bool holds_weights(const std::vector<Cells>& rows, std::size_t column, std::size_t from_row) {
  return std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(from_row), rows.end(), [&](const Cells& row) {
    return column < row.size() && row[column].find_first_of("0123456789") != std::string::npos;
  });
}

bool has_other_meaning(const std::vector<Cells>& rows, std::size_t column) {
  const std::string& name = rows[0][column];
  const bool holds_times = std::all_of(
      rows.begin() + 1, rows.end(), [&](const Cells& row) { return column < row.size() && is_unix_time(row[column]); });
  return holds_times || names_time(name) || name.starts_with("Unnamed:") ||
         has_word(name, {"id", "index", "row", "nr", "type", "label", "kind", "category"});
}

void refuse_matrix(const std::string& where, const std::vector<Cells>& rows, std::size_t first_row,
                   std::size_t first_column, std::int64_t all_rows) {
  constexpr std::size_t kMinNodes = 3;
  if (first_row >= rows.size() || rows[first_row].size() < first_column + kMinNodes) return;
  const std::size_t nodes = rows[first_row].size() - first_column;
  if (all_rows - static_cast<std::int64_t>(first_row) != static_cast<std::int64_t>(nodes)) return;
  const std::size_t known = rows.size() - first_row;  // perhaps not all
  bool zeros_and_ones = true;
  bool symmetric = true;
  for (std::size_t i = 0; i < known; ++i) {
    const Cells& row = rows[first_row + i];
    if (row.size() != nodes + first_column) return;
    for (std::size_t j = 0; j < nodes; ++j) {
      const std::string& cell = row[first_column + j];
      zeros_and_ones = zeros_and_ones && (cell == "0" || cell == "1");
      symmetric = symmetric && (i == j ? parse_float(cell) == 0 : is_number_of_any_style(cell));
      if (j < known && rows[first_row + j].size() == row.size()) {
        symmetric = symmetric && rows[first_row + j][first_column + i] == cell;
      }
    }
  }
  if (!zeros_and_ones && !symmetric) return;
  throw UserError(
      "{}looks like an adjacency matrix: {} rows of {} numbers [write one edge per line; or choose the ends by "
      "`columns`]",
      where, nodes, nodes);
}

void refuse_named_matrix(const std::string& where, const std::vector<Cells>& rows) {
  constexpr std::size_t kMinNodes = 3;
  const Cells& names = rows[0];
  const std::size_t nodes = names.size() - 1;
  const std::size_t known = rows.size() - 1;  // data rows, perhaps not all
  if (!names[0].empty() || nodes < kMinNodes || known < kMinNodes || known > nodes) return;
  for (std::size_t row = 1; row <= known; ++row) {
    if (rows[row].empty() || rows[row][0] != names[row]) return;
  }
  throw UserError(
      "{}looks like a matrix: the first column has the names of the others [write one edge per line; or choose the "
      "ends by `columns`]",
      where);
}

}  // namespace gir
