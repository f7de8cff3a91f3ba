#include "gir/nn/pair_ops.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/pair_product.h"
#include "gir/core/error.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct PairProduct : torch::autograd::Function<PairProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const PairBatch* batch) {
    context->save_for_backward({z});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    at::Tensor out = at::empty({batch->num_pairs(), z.size(1)}, z.options());
    for_real_type(
        z, [&]<typename Real>(Real) { cpu::pair_product_forward(*batch, matrix<const Real>(z), matrix<Real>(out)); });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor z = context->get_saved_variables()[0];
    const auto& batch = *reinterpret_cast<const PairBatch*>(context->saved_data["batch"].toInt());
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_z = at::empty_like(z);
    for_real_type(z, [&]<typename Real>(Real) {
      cpu::pair_product_backward(batch, matrix<const Real>(z), matrix<const Real>(d_out), matrix<Real>(d_z));
    });
    return {d_z, at::Tensor()};
  }
};

}  // namespace

PairBatch::PairBatch(std::span<const NodePair> pairs, std::int64_t nodes)
    : pairs_(pairs), offsets_(nodes + 1, 0), pair_of_(2 * std::ssize(pairs)), partner_(2 * std::ssize(pairs)) {
  for (const NodePair& pair : pairs_) {
    ensure(pair.first >= 0 && pair.second >= 0 && pair.first < nodes && pair.second < nodes, "pairs of nodes");
    ++offsets_[pair.first + 1];
    ++offsets_[pair.second + 1];
  }
  for (std::int64_t v = 0; v < nodes; ++v) offsets_[v + 1] += offsets_[v];
  Array<std::int64_t> next = offsets_.clone();
  for (std::int64_t p = 0; p < pairs_.size(); ++p) {
    const auto [first, second] = pairs_[p];
    const auto enter = [&](NodeId node, NodeId other) {
      const std::int64_t place = next[node]++;
      pair_of_[place] = static_cast<std::int32_t>(p);
      partner_[place] = other;
    };
    enter(first, second);
    enter(second, first);
  }
}

at::Tensor pair_product(const at::Tensor& z, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "a row a node");
  return PairProduct::apply(z, &batch);
}

}  // namespace gir
