#include "gir/nn/pair_ops.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "cpu/tiles.h"
#include "gir/core/error.h"
#include "kernels.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// The batch outlives the backward pass, so the autograd context stores its address.
const PairBatch& batch_of(AutogradContext* context) {
  return *reinterpret_cast<const PairBatch*>(context->saved_data["batch"].toInt());
}

struct PairProduct : torch::autograd::Function<PairProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const PairBatch* batch) {
    context->save_for_backward({z});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    return on_device_of(z, [&](auto kernels) { return kernels.pair_product(*batch, z); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor z = context->get_saved_variables()[0];
    return {on_device_of(z,
                         [&](auto kernels) {
                           return kernels.pair_product_back(batch_of(context), z, gradients[0].contiguous());
                         }),
            at::Tensor()};
  }
};

struct PairDot : torch::autograd::Function<PairDot> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const PairBatch* batch) {
    context->save_for_backward({z});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    return on_device_of(z, [&](auto kernels) { return kernels.pair_dot(*batch, z); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor z = context->get_saved_variables()[0];
    return {
        on_device_of(
            z, [&](auto kernels) { return kernels.pair_dot_back(batch_of(context), z, gradients[0].contiguous()); }),
        at::Tensor()};
  }
};

struct PairMlp : torch::autograd::Function<PairMlp> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const at::Tensor& hidden_weight,
                            const at::Tensor& hidden_bias, const at::Tensor& weight, const at::Tensor& bias,
                            const PairBatch* batch, bool keep_sums) {
    const WithRows made = on_device_of(z, [&](auto kernels) {
      return kernels.pair_mlp(*batch, {z, hidden_weight, hidden_bias, weight, bias}, keep_sums);
    });
    context->save_for_backward({z, hidden_weight, hidden_bias, weight, bias, made.rows});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const PairMlpTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.pair_mlp_back(batch_of(context), {saved[0], saved[1], saved[2], saved[3], saved[4]}, saved[5],
                                   gradients[0].contiguous());
    });
    return {back.z, back.hidden_weight, back.hidden_bias, back.weight, back.bias, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

PairBatch::PairBatch(std::span<const NodePair> pairs, std::int64_t nodes, at::Tensor features)
    : pairs_(pairs),
      features_(std::move(features)),
      offsets_(nodes + 1, 0),
      pair_of_(2 * std::ssize(pairs)),
      partner_(2 * std::ssize(pairs)) {
  ensure(!features_.defined() || (features_.dim() == 2 && features_.size(0) == std::ssize(pairs)), "one row per pair");
  if (std::ssize(pairs) > std::numeric_limits<std::int32_t>::max()) {
    throw UserError("a batch of {} pairs is too large [at most {}]", pairs.size(),
                    std::numeric_limits<std::int32_t>::max());
  }
  for (const NodePair& pair : pairs_) {
    ensure(pair.first >= 0 && pair.second >= 0 && pair.first < nodes && pair.second < nodes, "pairs of nodes");
    ++offsets_[pair.first + 1];
    ++offsets_[pair.second + 1];
  }
  // Counting sort of the pairs by node; pairs of a node stay ascending, so that gradients are summed in a fixed order.
  for (std::int64_t v = 0; v < nodes; ++v) offsets_[v + 1] += offsets_[v];
  Array<std::int64_t> next = offsets_.clone();
  for (std::int64_t p = 0; p < pairs_.size(); ++p) {
    const auto [first, second] = pairs_[p];
    const auto add_entry = [&](NodeId node, NodeId other) {
      const std::int64_t position = next[node]++;
      pair_of_[position] = static_cast<std::int32_t>(p);
      partner_[position] = other;
    };
    add_entry(first, second);
    add_entry(second, first);
  }
}

at::Tensor pair_product(const at::Tensor& z, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "one row per node");
  return PairProduct::apply(z, &batch);
}

at::Tensor pair_dot(const at::Tensor& z, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "one row per node");
  return PairDot::apply(z, &batch);
}

at::Tensor pair_mlp(const at::Tensor& z, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                    const at::Tensor& weight, const at::Tensor& bias, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "one row per node");
  ensure(hidden_weight.dim() == 2 && hidden_weight.size(0) == z.size(1) && hidden_weight.is_contiguous(),
         "one row of weights per channel");
  const std::int64_t hidden = hidden_weight.size(1);
  ensure(hidden_bias.numel() == hidden && weight.numel() == hidden && bias.numel() == 1,
         "the weights of an MLP with one output");
  // Kernels work on whole tiles of hidden units; padded units have zero weights and contribute nothing.
  const tensor_list tensors = {z, padded(hidden_weight, cpu::kTileColumns), padded(hidden_bias, cpu::kTileColumns),
                               padded(weight.flatten(), cpu::kTileColumns), bias};
  const bool keep_sums =
      at::GradMode::is_enabled() &&
      std::any_of(tensors.begin(), tensors.end(), [](const at::Tensor& t) { return t.requires_grad(); });
  return PairMlp::apply(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], &batch, keep_sums);
}

}  // namespace gir
