#pragma once

#include <cuda_runtime_api.h>

#include "../edge_rows.h"

namespace gir::cuda {

/// Rows with more edges are divided into segments of this size: otherwise the groups of threads of hubs would run long
/// after all others have finished.
inline constexpr EdgeId kLongRow = 256;

/// The long rows of EdgeRows and their segments ("pieces"), in device memory.
struct LongRows {
  std::int64_t count = 0;
  std::int64_t pieces = 0;
  const std::int32_t* rows = nullptr;         ///< [count]
  const std::int32_t* first_piece = nullptr;  ///< [count + 1]
  const std::int32_t* piece_row = nullptr;    ///< [pieces]
  const EdgeId* piece_begin = nullptr;        ///< [pieces]: first edge; ends after kLongRow edges or with the row
};

/// Rows of `width` values that start `stride` values apart.
template <typename Real>
struct StridedRows {
  Real* values = nullptr;
  std::int64_t stride = 0;
};

/// Destination of sums: row i of `rows`, or row nodes[i] if `nodes` is not null, plus the same row of `base` (null for
/// zeros), which may alias `rows`.
template <typename Real>
struct Destination {
  StridedRows<Real> rows;
  const NodeId* nodes = nullptr;
  StridedRows<const Real> base = {};
  StridedRows<Real> copies = {};  ///< if not null: row i of the values is copied there
};

/// row_factor[i] * Σ weight * column_factor * values[column] for every row i, `width` values per row, in the order of
/// the edges (long rows: per segment). `workspace` holds the sums of segments: [long_rows.pieces, width].
template <typename Real>
void gather_rows(const EdgeRows& edges, const LongRows& long_rows, const StridedRows<const Real>& values,
                 std::int64_t width, const Destination<Real>& to, Real* workspace, cudaStream_t stream);

/// to[nodes[i]] += from[i] if nodes[i] is not negative; nodes are distinct.
template <typename Real>
void add_rows_at(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
                 cudaStream_t stream);

/// to[i] = from[nodes[i]]; zeros if nodes[i] is negative.
template <typename Real>
void take_rows(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
               cudaStream_t stream);

}  // namespace gir::cuda
