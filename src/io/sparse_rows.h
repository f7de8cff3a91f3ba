#pragma once

#include "gir/graph/attributes.h"
#include "gir/io/npy.h"

namespace gir {

/// A CSR matrix from its three arrays. UserError, naming the array, for anything inconsistent. The columns of a row
/// keep the order of the file, see sort_columns().
SparseMatrix sparse_from_arrays(std::int64_t rows, std::int64_t columns, const NpyArray& offsets,
                                const NpyArray& column_indices, const NpyArray& values);

/// Sorts every row by column and adds up values at the same position. O(stored values), in parallel.
void sort_columns(SparseMatrix& matrix);

/// UserError where one of `values`, which were read from `source`, is infinite or NaN.
void check_finite(std::span<const float> values, const NpyArray& source);

}  // namespace gir
