#include "gather.h"
#include "pack.cuh"
#include "threads.cuh"

namespace gir::cuda {
namespace {

constexpr int kEdgesAtOnce = 4;  ///< loads in flight per thread, to hide the memory latency
constexpr int kMaxLanes = 32;    ///< threads per row: at most a warp
constexpr int kMaxParts = 2;     ///< packs per thread

/// Mapping of a row to threads. Wider rows are divided into panels of columns, one block of the grid (y) each.
struct Shape {
  int width;
  int lanes;  ///< a power of two
  int parts;
  int panel;  ///< columns of a panel
  int panels;
};

Shape shape_for(std::int64_t width, int pack) {
  const auto packs = static_cast<int>((width + pack - 1) / pack);
  Shape shape{.width = static_cast<int>(width), .lanes = 1, .parts = 1, .panel = 0, .panels = 1};
  while (shape.lanes < kMaxLanes && shape.lanes < packs) shape.lanes *= 2;
  if (packs > shape.lanes) shape.parts = kMaxParts;
  shape.panel = shape.lanes * shape.parts * pack;
  shape.panels = static_cast<int>((width + shape.panel - 1) / shape.panel);
  return shape;
}

template <typename Real>
__device__ __forceinline__ Real edge_factor(const EdgeRows& edges, Real row_factor, EdgeId edge, std::int32_t column) {
  Real factor = row_factor;
  if (edges.weights != nullptr) factor *= static_cast<Real>(edges.weights[edge]);
  if (edges.column_factors != nullptr) factor *= static_cast<Real>(edges.column_factors[column]);
  return factor;
}

/// The address of a row; null if there are no rows.
template <typename Real>
__device__ __forceinline__ Real* row_of(const StridedRows<Real>& rows, std::int64_t row) {
  return rows.values == nullptr ? nullptr : rows.values + row * rows.stride;
}

/// The columns of one row that a thread sums, in registers.
template <typename Real, int kValues, int kParts>
struct Sums {
  Real value[kParts][kValues] = {};

  /// Adds the edges [begin, end) in their order. `first` is the first column of the thread, `step` the distance to its
  /// next part.
  __device__ __forceinline__ void add_edges(const EdgeRows& edges, Real row_factor, EdgeId begin, EdgeId end,
                                            const StridedRows<const Real>& values, int width, int first, int step) {
    EdgeId edge = begin;
    for (; edge + kEdgesAtOnce <= end; edge += kEdgesAtOnce) {
      std::int32_t column[kEdgesAtOnce];
      Pack<Real, kValues> pack[kEdgesAtOnce][kParts];
      Real factor[kEdgesAtOnce];
#pragma unroll
      for (int k = 0; k < kEdgesAtOnce; ++k) column[k] = edges.columns[edge + k];
#pragma unroll
      for (int k = 0; k < kEdgesAtOnce; ++k) {
#pragma unroll
        for (int part = 0; part < kParts; ++part) {
          pack[k][part] = read(values, column[k], width, first + part * step);
        }
        factor[k] = edge_factor(edges, row_factor, edge + k, column[k]);
      }
#pragma unroll
      for (int k = 0; k < kEdgesAtOnce; ++k) add(pack[k], factor[k]);
    }
    for (; edge < end; ++edge) {
      const std::int32_t column = edges.columns[edge];
      Pack<Real, kValues> pack[kParts];
#pragma unroll
      for (int part = 0; part < kParts; ++part) pack[part] = read(values, column, width, first + part * step);
      add(pack, edge_factor(edges, row_factor, edge, column));
    }
  }

  /// Writes the sums plus `base` (may be null).
  __device__ __forceinline__ void store(Real* row, const Real* base, int width, int first, int step) const {
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      const int column = first + part * step;
      if (column >= width) continue;
      Pack<Real, kValues> pack = base != nullptr ? load_pack<kValues>(base + column) : Pack<Real, kValues>{};
#pragma unroll
      for (int i = 0; i < kValues; ++i) pack.value[i] += value[part][i];
      store_pack(row + column, pack);
    }
  }

  __device__ __forceinline__ void add(const Pack<Real, kValues> (&pack)[kParts], Real factor) {
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
#pragma unroll
      for (int i = 0; i < kValues; ++i) value[part][i] += factor * pack[part].value[i];
    }
  }

 private:
  __device__ __forceinline__ static Pack<Real, kValues> read(const StridedRows<const Real>& rows, std::int32_t row,
                                                             int width, int column) {
    if (column >= width) return {};
    return load_pack<kValues>(rows.values + row * rows.stride + column);
  }
};

/// The row of the destination for the sums of a row of edges.
template <typename Real>
__device__ __forceinline__ std::int64_t target_row(const Destination<Real>& to, std::int64_t row) {
  return to.nodes == nullptr ? row : static_cast<std::int64_t>(to.nodes[row]);
}

/// One group of threads per segment of a long row (these are launched first, as they take longest) or per row. The
/// groups of long rows only copy.
template <typename Real, int kValues, int kParts>
__global__ void gather_kernel(EdgeRows edges, LongRows long_rows, Shape shape, const Real* __restrict__ values,
                              std::int64_t values_stride, Destination<Real> to, Real* workspace) {
  const StridedRows<const Real> given{values, values_stride};
  const std::int64_t group =
      static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / shape.lanes) + threadIdx.x / shape.lanes;
  const bool is_piece = group < long_rows.pieces;
  const std::int64_t row = is_piece ? long_rows.piece_row[group] : group - long_rows.pieces;
  if (row >= edges.rows) return;
  EdgeId begin = edges.offsets[row];
  EdgeId end = edges.offsets[row + 1];
  if (is_piece) {
    begin = long_rows.piece_begin[group];
    end = min(begin + kLongRow, end);
  }
  const int first = blockIdx.y * shape.panel + (threadIdx.x & (shape.lanes - 1)) * kValues;
  const int step = shape.lanes * kValues;
  if (!is_piece && to.copies.values != nullptr) {
    Sums<Real, kValues, kParts>().store(row_of(to.copies, row), row_of(given, row), shape.width, first, step);
  }
  if (!is_piece && end - begin > kLongRow) return;
  const Real row_factor = edges.row_factors == nullptr ? Real{1} : static_cast<Real>(edges.row_factors[row]);
  Sums<Real, kValues, kParts> sums;
  sums.add_edges(edges, row_factor, begin, end, given, shape.width, first, step);
  if (is_piece) {
    sums.store(workspace + group * shape.width, nullptr, shape.width, first, step);
    return;
  }
  const std::int64_t target = target_row(to, row);
  sums.store(row_of(to.rows, target), row_of(to.base, target), shape.width, first, step);
}

/// Sums the segments of long rows in their order: one block per row, one thread per column.
template <typename Real>
__global__ void add_pieces(LongRows long_rows, int width, const Real* workspace, Destination<Real> to) {
  const std::int64_t which = blockIdx.x;
  const std::int64_t target = target_row(to, long_rows.rows[which]);
  Real* out = row_of(to.rows, target);
  const Real* base = row_of(to.base, target);
  for (int column = threadIdx.x; column < width; column += blockDim.x) {
    Real sum = base == nullptr ? Real{0} : base[column];
    for (std::int32_t piece = long_rows.first_piece[which]; piece < long_rows.first_piece[which + 1]; ++piece) {
      sum += workspace[static_cast<std::int64_t>(piece) * width + column];
    }
    out[column] = sum;
  }
}

template <typename Real, int kValues, int kParts>
void launch(const EdgeRows& edges, const LongRows& long_rows, const Shape& shape, const StridedRows<const Real>& values,
            const Destination<Real>& to, Real* workspace, cudaStream_t stream) {
  const dim3 grid(blocks_for(edges.rows + long_rows.pieces, kThreads / shape.lanes),
                  static_cast<unsigned>(shape.panels));
  gather_kernel<Real, kValues, kParts>
      <<<grid, kThreads, 0, stream>>>(edges, long_rows, shape, values.values, values.stride, to, workspace);
  check(cudaGetLastError());
  if (long_rows.count == 0) return;
  add_pieces<<<static_cast<unsigned>(long_rows.count), kThreads, 0, stream>>>(long_rows, shape.width, workspace, to);
  check(cudaGetLastError());
}

template <typename Real, int kValues>
void launch(const EdgeRows& edges, const LongRows& long_rows, std::int64_t width, const StridedRows<const Real>& values,
            const Destination<Real>& to, Real* workspace, cudaStream_t stream) {
  const Shape shape = shape_for(width, kValues);
  shape.parts == 1 ? launch<Real, kValues, 1>(edges, long_rows, shape, values, to, workspace, stream)
                   : launch<Real, kValues, kMaxParts>(edges, long_rows, shape, values, to, workspace, stream);
}

}  // namespace

template <typename Real>
void gather_rows(const EdgeRows& edges, const LongRows& long_rows, const StridedRows<const Real>& values,
                 std::int64_t width, const Destination<Real>& to, Real* workspace, cudaStream_t stream) {
  if (edges.rows == 0 || width == 0) return;
  const bool packs = width % kPack<Real> == 0 && fits_packs<Real>(values.stride, values.values) &&
                     fits_packs<Real>(to.rows.stride, to.rows.values) && fits_packs<Real>(width, workspace) &&
                     fits_packs<Real>(to.base.stride, to.base.values) &&
                     fits_packs<Real>(to.copies.stride, to.copies.values);
  packs ? launch<Real, kPack<Real>>(edges, long_rows, width, values, to, workspace, stream)
        : launch<Real, 1>(edges, long_rows, width, values, to, workspace, stream);
}

template <typename Real>
void add_rows_at(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
                 cudaStream_t stream) {
  for_each_warp(count, stream, [=] __device__(std::int64_t row, int lane) {
    const std::int64_t node = nodes[row];
    if (node < 0) return;
    for (std::int64_t j = lane; j < width; j += kWarp) to[node * width + j] += from[row * width + j];
  });
}

template <typename Real>
void take_rows(const NodeId* nodes, std::int64_t count, const Real* from, std::int64_t width, Real* to,
               cudaStream_t stream) {
  for_each_warp(count, stream, [=] __device__(std::int64_t row, int lane) {
    const std::int64_t node = nodes[row];
    for (std::int64_t j = lane; j < width; j += kWarp) {
      to[row * width + j] = node < 0 ? Real{0} : from[node * width + j];
    }
  });
}

#define GIR_INSTANTIATE(Real)                                                                               \
  template void gather_rows(const EdgeRows&, const LongRows&, const StridedRows<const Real>&, std::int64_t, \
                            const Destination<Real>&, Real*, cudaStream_t);                                 \
  template void add_rows_at(const NodeId*, std::int64_t, const Real*, std::int64_t, Real*, cudaStream_t);   \
  template void take_rows(const NodeId*, std::int64_t, const Real*, std::int64_t, Real*, cudaStream_t);
GIR_INSTANTIATE(float)
GIR_INSTANTIATE(double)
#undef GIR_INSTANTIATE

}  // namespace gir::cuda
