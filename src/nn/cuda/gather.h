#pragma once

#include <cuda_runtime_api.h>

#include "../edge_rows.h"

namespace gir::cuda {

/// Rows with more edges are cut into pieces of so many: one group of threads would be busy with them for long after
/// all others have finished.
inline constexpr EdgeId kLongRow = 256;

/// The long rows of some EdgeRows, all on the device.
struct LongRows {
  std::int64_t count = 0;
  std::int64_t pieces = 0;
  const std::int32_t* rows = nullptr;         ///< [count]
  const std::int32_t* first_piece = nullptr;  ///< [count + 1]
  const std::int32_t* piece_row = nullptr;    ///< [pieces]
  const EdgeId* piece_begin = nullptr;        ///< [pieces]: its first edge; it ends kLongRow later or with its row
};

/// Rows of `width` values that begin `stride` values apart.
template <typename Real>
struct StridedRows {
  Real* values = nullptr;
  std::int64_t stride = 0;
};

/// Where sums go: to row i of `rows`, or to row nodes[i], on top of the same row of `base` (null for zeros), which may
/// be `rows`.
template <typename Real>
struct Destination {
  StridedRows<Real> rows;
  const NodeId* nodes = nullptr;
  StridedRows<const Real> base = {};
  StridedRows<Real> copies = {};  ///< where row i of the values themselves goes; null: nowhere
};

/// row_factor[i] * Σ weight * column_factor * values[column] of every row i, `width` values a row, each in the order of
/// its edges (long rows: piece by piece). `room` is for sums of pieces: [long_rows.pieces, width].
template <typename Real>
void gather_rows(const EdgeRows& edges, const LongRows& long_rows, const StridedRows<const Real>& values,
                 std::int64_t width, const Destination<Real>& to, Real* room, cudaStream_t stream);

/// to[nodes[i]] += from[i], where nodes[i] is not negative; nodes are distinct.
template <typename Real>
void add_rows_at(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
                 cudaStream_t stream);

/// to[i] = from[nodes[i]], zeros where that is negative.
template <typename Real>
void take_rows(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
               cudaStream_t stream);

}  // namespace gir::cuda
