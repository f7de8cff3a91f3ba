#include "sparse_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gir/core/error.h"
#include "gir/core/parallel.h"

namespace gir {
namespace {

constexpr std::int64_t kRowsPerBlock = 1 << 10;
constexpr std::int64_t kValuesPerBlock = 1 << 16;

void check_offsets(const Array<std::int64_t>& offsets, std::int64_t stored, const std::string& where) {
  if (offsets[0] != 0) throw UserError("{}: begins with {}, row offsets begin with 0", where, offsets[0]);
  for (std::int64_t row = 1; row < offsets.size(); ++row) {
    if (offsets[row] < offsets[row - 1]) {
      throw UserError("{}: item {} is {}, less than the one before [row offsets ascend]", where, row, offsets[row]);
    }
  }
  const std::int64_t last = offsets[offsets.size() - 1];
  if (last != stored) throw UserError("{}: ends with {}, but {} values are stored", where, last, stored);
}

void check_columns(const Array<std::int32_t>& indices, std::int64_t columns, const std::string& where) {
  parallel_for(indices.size(), kValuesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (indices[i] < 0 || indices[i] >= columns) {
        throw UserError("{}: item {} is {}, columns are 0 .. {}", where, i, indices[i], columns - 1);
      }
    }
  });
}

using Entry = std::pair<std::int32_t, float>;

/// Sorts one row and adds up repeated columns; returns the number of values that remain. Rows of most files are sorted
/// already, which a single pass finds out.
std::int64_t merge_row(std::int32_t* columns, float* values, std::int64_t length, std::vector<Entry>& scratch) {
  const auto not_ascending = [](std::int32_t a, std::int32_t b) { return a >= b; };
  if (std::adjacent_find(columns, columns + length, not_ascending) == columns + length) return length;
  scratch.clear();
  for (std::int64_t i = 0; i < length; ++i) scratch.emplace_back(columns[i], values[i]);
  std::stable_sort(scratch.begin(), scratch.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
  std::int64_t kept = 0;
  for (const auto& [column, value] : scratch) {
    if (kept > 0 && columns[kept - 1] == column) {
      values[kept - 1] += value;
      continue;
    }
    columns[kept] = column;
    values[kept] = value;
    ++kept;
  }
  return kept;
}

}  // namespace

SparseMatrix sparse_from_arrays(std::int64_t rows, std::int64_t columns, const NpyArray& offsets,
                                const NpyArray& column_indices, const NpyArray& values) {
  constexpr std::int64_t kMaxColumns = std::int64_t{1} << 31;  // column indices are signed 32 bits
  if (rows < 0 || columns < 0 || columns > kMaxColumns) {
    throw UserError("{}: belongs to a matrix of the impossible shape [{}, {}]", offsets.where(), rows, columns);
  }
  if (offsets.size() == 0 || offsets.size() - 1 != rows) {
    throw UserError("{}: has {} items, but a matrix of {} rows has {} offsets", offsets.where(), offsets.size(), rows,
                    rows + 1);
  }
  if (column_indices.size() != values.size()) {
    throw UserError("{}: has {} items, but {} {}", column_indices.where(), column_indices.size(), values.where(),
                    values.size());
  }
  SparseMatrix matrix{.rows = rows,
                      .columns = columns,
                      .offsets = offsets.to<std::int64_t>(),
                      .column_indices = column_indices.to<std::int32_t>(),
                      .values = values.to<float>()};
  check_offsets(matrix.offsets, matrix.values.size(), offsets.where());
  check_columns(matrix.column_indices, columns, column_indices.where());
  check_finite(matrix.values.span(), values);
  return matrix;
}

void sort_columns(SparseMatrix& matrix) {
  Array<std::int64_t> lengths(matrix.rows);
  parallel_for(matrix.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Entry> scratch;
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t start = matrix.offsets[row];
      lengths[row] = merge_row(matrix.column_indices.data() + start, matrix.values.data() + start,
                               matrix.offsets[row + 1] - start, scratch);
    }
  });
  // Close the gaps that merged columns left.
  std::int64_t place = 0;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t start = std::exchange(matrix.offsets[row], place);
    if (place != start) {
      std::copy_n(matrix.column_indices.data() + start, lengths[row], matrix.column_indices.data() + place);
      std::copy_n(matrix.values.data() + start, lengths[row], matrix.values.data() + place);
    }
    place += lengths[row];
  }
  matrix.offsets[matrix.rows] = place;
  matrix.column_indices.shrink(place);
  matrix.values.shrink(place);
}

void check_finite(std::span<const float> values, const NpyArray& source) {
  parallel_for(static_cast<std::int64_t>(values.size()), kValuesPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const float value = values[static_cast<std::size_t>(i)];
      if (std::isfinite(value)) continue;
      throw UserError("{}: item {} is {}, not a finite number [replace missing values]", source.where(),
                      source.item_place(i), value);
    }
  });
}

}  // namespace gir
