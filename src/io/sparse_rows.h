#pragma once

#include "gir/graph/attributes.h"
#include "gir/io/npy.h"

namespace gir {

/// A matrix in compressed rows from the three arrays that NumPy users store it as. Checked: UserError names
/// the array that is wrong. Columns stand in each row as they are in the file, see sort_columns().
SparseMatrix sparse_from_arrays(std::int64_t rows, std::int64_t columns, const NpyArray& offsets,
                                const NpyArray& column_indices, const NpyArray& values);

/// Sorts every row by column and adds up values of the same place. O(stored values), in parallel.
void sort_columns(SparseMatrix& matrix);

/// UserError where one of the values that `source` was read to is infinite or not a number.
void check_finite(std::span<const float> values, const NpyArray& source);

}  // namespace gir
