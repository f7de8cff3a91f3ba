#include "edge_table_header.h"

#include <algorithm>
#include <set>
#include <string_view>

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

void refuse_matrix(const std::string& where, const std::vector<Cells>& rows) {
  constexpr std::size_t kFewestNodes = 3;
  const Cells& names = rows[0];
  const std::size_t nodes = names.size() - 1;
  const std::size_t known = rows.size() - 1;  // data rows, perhaps not all
  if (!names[0].empty() || nodes < kFewestNodes || known < kFewestNodes || known > nodes) return;
  for (std::size_t row = 1; row <= known; ++row) {
    if (rows[row].empty() || rows[row][0] != names[row]) return;
  }
  throw UserError(
      "{}looks like a matrix: the first column has the names of the others [write one edge per line; or choose the "
      "ends by `columns`]",
      where);
}

}  // namespace gir
