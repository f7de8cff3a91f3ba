#include "tensors.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>

#include "gir/nn/device.h"
#include "norms.h"

namespace gir::cuda {
namespace {

bool rounds_to_bf16(const at::Tensor& tensor) {
  return compute_precision() == Precision::kBf16 && tensor.scalar_type() == at::kFloat;
}

at::Tensor product_in_bf16(const at::Tensor& a, const at::Tensor& b) {
  return at::mm(a.to(at::kBFloat16), b.to(at::kBFloat16)).to(at::kFloat);
}

void gather(const Gathering& gathering, const at::Tensor& values, const NodeId* nodes, bool add,
            const at::Tensor& out) {
  const at::Tensor room = at::empty({gathering.long_rows.pieces, values.size(1)}, values.options());
  for_real_type(values, [&]<typename Real>(Real) {
    gather_rows<Real>(gathering.edges, gathering.long_rows, read<Real>(values), values.size(1),
                      {.rows = write<Real>(out), .nodes = nodes, .add = add}, write<Real>(room), current_stream());
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
  return rounds_to_bf16(a) ? product_in_bf16(a, b) : at::mm(a, b);
}

void add_product(at::Tensor& out, const at::Tensor& a, const at::Tensor& b) {
  rounds_to_bf16(a) ? out.add_(product_in_bf16(a, b)) : out.addmm_(a, b);
}

at::Tensor affine(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, std::int64_t columns) {
  if (!has(w)) {
    return has(bias) ? bias.expand({x.size(0), columns}).contiguous()
                     : at::empty({x.size(0), columns}, x.options()).zero_();
  }
  if (!has(bias)) return product(x, w);
  return rounds_to_bf16(x) ? product_in_bf16(x, w).add_(bias) : at::addmm(bias, x, w);
}

at::Tensor column_sums(const at::Tensor& matrix) {
  at::Tensor sums = at::empty({matrix.size(1)}, matrix.options());
  const at::Tensor room = at::empty({norm_room(grid_of(matrix))}, matrix.options().dtype(at::kDouble));
  for_real_type(matrix, [&]<typename Real>(Real) {
    sum_columns(read<Real>(matrix), grid_of(matrix), write<Real>(sums), write<double>(room), current_stream());
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

at::Tensor gathered(const Gathering& gathering, const at::Tensor& values) {
  at::Tensor sums = at::empty({gathering.edges.rows, values.size(1)}, values.options());
  gather(gathering, values, nullptr, /*add=*/false, sums);
  return sums;
}

void add_gathered(const Gathering& gathering, const at::Tensor& values, const NodeId* nodes, const at::Tensor& out) {
  gather(gathering, values, nodes, /*add=*/true, out);
}

}  // namespace gir::cuda
