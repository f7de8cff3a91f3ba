#include "tensors.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/cuda/CUDAFunctions.h>

#include <vector>

#include "norms.h"
#include "precision.h"

namespace gir::cuda {
namespace {

bool rounds_to_bf16(const at::Tensor& tensor) {
  return current_precision() == Precision::kBf16 && tensor.scalar_type() == at::kFloat;
}

at::Tensor product_in_bf16(const at::Tensor& a, const at::Tensor& b) {
  return at::mm(a.to(at::kBFloat16), b.to(at::kBFloat16)).to(at::kFloat);
}

/// Of the current device. Asking the driver takes a while, and every product asks.
int multiprocessors() {
  static const std::vector<int> counts = [] {
    std::vector<int> all(static_cast<std::size_t>(c10::cuda::device_count()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      check(cudaDeviceGetAttribute(&all[i], cudaDevAttrMultiProcessorCount, static_cast<int>(i)));
    }
    return all;
  }();
  return counts.at(static_cast<std::size_t>(c10::cuda::current_device()));
}

/// Calls `body(begin, count)` for the parts of a matrix product. cuBLAS divides tall products into tiles of 128 rows,
/// one per multiprocessor at a time; if the last wave would be nearly empty, its rows are computed by a separate
/// product.
template <typename Body>
void for_each_part(const at::Tensor& a, const Body& body) {
  constexpr std::int64_t kTileRows = 128;
  const std::int64_t rows = a.size(0);
  const std::int64_t wave = multiprocessors() * kTileRows;
  const std::int64_t rest = rows % wave;
  const bool is_tf32 = current_precision() == Precision::kTf32;  // TF32 kernels have other tiles
  if (is_tf32 || rows < wave || rest == 0 || 4 * rest > wave) return body(0, rows);
  body(0, rows - rest);
  body(rows - rest, rest);
}

/// The rows of a tensor, which may be a view of wider rows.
template <typename Real>
StridedRows<Real> strided(const at::Tensor& tensor) {
  if (!has(tensor)) return {};
  return {write<std::remove_const_t<Real>>(tensor), tensor.stride(0)};
}

/// Destination with tensors: see Destination.
struct Target {
  at::Tensor rows;
  const NodeId* nodes = nullptr;
  at::Tensor base = {};
  at::Tensor copies = {};
};

void gather(const Gathering& gathering, const at::Tensor& values, const Target& to) {
  const at::Tensor workspace = at::empty({gathering.long_rows.pieces, values.size(1)}, values.options());
  for_real_type(values, [&]<typename Real>(Real) {
    gather_rows<Real>(gathering.edges, gathering.long_rows, strided<const Real>(values), values.size(1),
                      {.rows = strided<Real>(to.rows),
                       .nodes = to.nodes,
                       .base = strided<const Real>(to.base),
                       .copies = strided<Real>(to.copies)},
                      write<Real>(workspace), current_stream());
  });
}

Gathering by_node(EdgeRows edges, const RowsByNode& rows, std::int64_t num_nodes, const double* row_factors) {
  edges.rows = num_nodes;
  edges.offsets = rows.offsets;
  edges.row_factors = row_factors;
  return {edges, rows.long_rows};
}

}  // namespace

at::Tensor product(const at::Tensor& a, const at::Tensor& b) {
  if (rounds_to_bf16(a)) return product_in_bf16(a, b);
  at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
  const Tf32Switch precision;
  for_each_part(a, [&](std::int64_t begin, std::int64_t count) {
    at::Tensor part = out.narrow(0, begin, count);
    at::mm_out(part, a.narrow(0, begin, count), b);
  });
  return out;
}

void add_product(at::Tensor& out, const at::Tensor& a, const at::Tensor& b) {
  if (rounds_to_bf16(a)) {
    out.add_(product_in_bf16(a, b));
    return;
  }
  const Tf32Switch precision;
  for_each_part(a, [&](std::int64_t begin, std::int64_t count) {
    out.narrow(0, begin, count).addmm_(a.narrow(0, begin, count), b);
  });
}

at::Tensor affine(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, std::int64_t columns) {
  if (!has(w)) {
    at::Tensor out = at::empty({x.size(0), columns}, x.options());
    return has(bias) ? out.copy_(bias) : out.zero_();
  }
  if (!has(bias)) return product(x, w);
  if (rounds_to_bf16(x)) return product_in_bf16(x, w).add_(bias);
  at::Tensor out = at::empty({x.size(0), columns}, x.options());
  const Tf32Switch precision;
  for_each_part(x, [&](std::int64_t begin, std::int64_t count) {
    at::Tensor part = out.narrow(0, begin, count);
    at::addmm_out(part, bias.dim() == 2 ? bias.narrow(0, begin, count) : bias, x.narrow(0, begin, count), w);
  });
  return out;
}

at::Tensor column_sums(const at::Tensor& matrix) {
  at::Tensor sums = at::empty({matrix.size(1)}, matrix.options());
  const at::Tensor workspace = at::empty({norm_workspace(grid_of(matrix))}, matrix.options().dtype(at::kDouble));
  for_real_type(matrix, [&]<typename Real>(Real) {
    sum_columns(read<Real>(matrix), grid_of(matrix), write<Real>(sums), write<double>(workspace), current_stream());
  });
  return sums;
}

Gathering incoming(const Messages& messages) {
  return {rows_on_device(messages).incoming, long_rows(messages.edges().offsets)};
}

Gathering outgoing(const Messages& messages) {
  return {rows_on_device(messages).outgoing, long_rows(messages.edges().sending_offsets)};
}

Gathering incoming_by_node(const Messages& messages) {
  const FrontierEdges& edges = messages.edges();
  return by_node(rows_on_device(messages).incoming, rows_by_node(edges.receivers, edges.offsets, messages.num_nodes()),
                 messages.num_nodes(), on_device(messages.receiver_factors_by_node()));
}

Gathering outgoing_by_node(const Messages& messages) {
  const FrontierEdges& edges = messages.edges();
  return by_node(rows_on_device(messages).outgoing,
                 rows_by_node(edges.sending_nodes, edges.sending_offsets, messages.num_nodes()), messages.num_nodes(),
                 on_device(messages.sending_factors_by_node()));
}

at::Tensor gathered(const Gathering& gathering, const at::Tensor& values, const at::Tensor& base) {
  at::Tensor sums = at::empty({gathering.edges.rows, values.size(1)}, values.options());
  gather(gathering, values, {.rows = sums, .base = base});
  return sums;
}

at::Tensor beside_gathered(const Gathering& gathering, const at::Tensor& values) {
  const std::int64_t width = values.size(1);
  at::Tensor both = at::empty({values.size(0), 2 * width}, values.options());
  gather(gathering, values, {.rows = both.narrow(1, width, width), .copies = both.narrow(1, 0, width)});
  return both;
}

void add_gathered(const Gathering& gathering, const at::Tensor& values, const NodeId* nodes, const at::Tensor& out) {
  gather(gathering, values, {.rows = out, .nodes = nodes, .base = out});
}

}  // namespace gir::cuda
