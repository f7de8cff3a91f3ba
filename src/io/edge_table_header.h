#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "columns.h"

namespace gir {

/// Whether a column has numbers in all of these rows, from `from_row` on, that have a value in it, and at least one.
bool is_numeric(const std::vector<Cells>& rows, std::size_t column, std::size_t from_row);

/// Whether the first row lacks the name of the first column, which holds row numbers then, as pandas ("") and R (no
/// cell at all) write them.
bool has_unnamed_index(const std::vector<Cells>& rows);

/// Whether a column has numbers under a first cell that is none.
bool has_words_over_numbers(const std::vector<Cells>& rows);

/// Whether a column has the same mark in all rows, as in 'a -> b'.
bool has_marks(const std::vector<Cells>& rows, std::size_t column);

/// Whether a column that is called weight holds weights: numbers, and not words as in "strong". Where rows have
/// neither, or both, the first that is no number is refused later, with its line.
bool holds_weights(const std::vector<Cells>& rows, std::size_t column, std::size_t from_row);

/// Whether numbers under a header are no weights: times, row numbers, codes.
bool has_other_meaning(const std::vector<Cells>& rows, std::size_t column);

/// UserError, beginning with `where`, for an adjacency matrix with the ids above and beside it, as pandas writes it:
/// row i begins with the name of column i.
void refuse_named_matrix(const std::string& where, const std::vector<Cells>& rows);

/// The same for one of numbers: `rows`, of all_rows in the table, are as many from first_row on as they have cells from
/// first_column on, and all of these are 0 or 1, or are symmetric with zeros on the diagonal.
void refuse_matrix(const std::string& where, const std::vector<Cells>& rows, std::size_t first_row,
                   std::size_t first_column, std::int64_t all_rows);

}  // namespace gir
