#pragma once

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

/// UserError, beginning with `where`, for an adjacency matrix with the ids above and beside it, as pandas writes it:
/// row i begins with the name of column i.
void refuse_matrix(const std::string& where, const std::vector<Cells>& rows);

}  // namespace gir
