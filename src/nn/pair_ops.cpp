#include "gir/nn/pair_ops.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "cpu/pair_dot.h"
#include "cpu/pair_mlp.h"
#include "cpu/pair_product.h"
#include "cpu/tiles.h"
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

struct PairDot : torch::autograd::Function<PairDot> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const PairBatch* batch) {
    context->save_for_backward({z});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    at::Tensor scores = at::empty({batch->num_pairs()}, z.options());
    for_real_type(z, [&]<typename Real>(Real) {
      cpu::pair_dot_forward<Real>(*batch, matrix<const Real>(z), write<Real>(scores));
    });
    return scores;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor z = context->get_saved_variables()[0];
    const auto& batch = *reinterpret_cast<const PairBatch*>(context->saved_data["batch"].toInt());
    const at::Tensor d_scores = gradients[0].contiguous();
    const at::Tensor d_z = at::empty_like(z);
    for_real_type(z, [&]<typename Real>(Real) {
      cpu::pair_dot_backward<Real>(batch, matrix<const Real>(z), read<Real>(d_scores), matrix<Real>(d_z));
    });
    return {d_z, at::Tensor()};
  }
};

template <typename Real>
cpu::PerceptronWeights<Real> perceptron(const tensor_list& tensors) {
  using Plain = std::remove_const_t<Real>;
  return {.hidden = matrix<Real>(tensors[1]),
          .hidden_bias = write<Plain>(tensors[2]),
          .out = write<Plain>(tensors[3]),
          .out_bias = write<Plain>(tensors[4])};
}

struct PairMlp : torch::autograd::Function<PairMlp> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const at::Tensor& hidden_weight,
                            const at::Tensor& hidden_bias, const at::Tensor& weight, const at::Tensor& bias,
                            const PairBatch* batch, bool keep_sums) {
    const at::Tensor sums = at::empty({keep_sums ? batch->num_pairs() : 0, hidden_weight.size(1)}, z.options());
    const tensor_list tensors = {z, hidden_weight, hidden_bias, weight, bias};
    context->save_for_backward({z, hidden_weight, hidden_bias, weight, bias, sums});
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    at::Tensor scores = at::empty({batch->num_pairs()}, z.options());
    for_real_type(z, [&]<typename Real>(Real) {
      cpu::pair_mlp_forward<Real>(*batch, matrix<const Real>(z), perceptron<const Real>(tensors), write<Real>(sums),
                                  write<Real>(scores));
    });
    return scores;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    tensor_list tensors = context->get_saved_variables();
    const at::Tensor sums = tensors.back();
    tensors.pop_back();
    const auto& batch = *reinterpret_cast<const PairBatch*>(context->saved_data["batch"].toInt());
    const at::Tensor d_scores = gradients[0].contiguous();
    const at::Tensor d_sums = at::empty_like(sums);
    tensor_list d_tensors;
    for (const at::Tensor& tensor : tensors) d_tensors.push_back(at::empty_like(tensor));
    for_real_type(d_scores, [&]<typename Real>(Real) {
      cpu::pair_mlp_backward<Real>(batch, matrix<const Real>(tensors[0]), perceptron<const Real>(tensors),
                                   read<Real>(sums), read<Real>(d_scores), write<Real>(d_sums),
                                   matrix<Real>(d_tensors[0]), perceptron<Real>(d_tensors));
    });
    d_tensors.resize(d_tensors.size() + 2);  // the batch and keep_sums have none
    return d_tensors;
  }
};

}  // namespace

PairBatch::PairBatch(std::span<const NodePair> pairs, std::int64_t nodes, at::Tensor features)
    : pairs_(pairs),
      features_(std::move(features)),
      offsets_(nodes + 1, 0),
      pair_of_(2 * std::ssize(pairs)),
      partner_(2 * std::ssize(pairs)) {
  ensure(!features_.defined() || (features_.dim() == 2 && features_.size(0) == std::ssize(pairs)), "a row a pair");
  if (std::ssize(pairs) > std::numeric_limits<std::int32_t>::max()) {
    throw UserError("{} pairs at once are too many [at most {}]", pairs.size(),
                    std::numeric_limits<std::int32_t>::max());
  }
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

at::Tensor pair_dot(const at::Tensor& z, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "a row a node");
  return PairDot::apply(z, &batch);
}

at::Tensor pair_mlp(const at::Tensor& z, const at::Tensor& hidden_weight, const at::Tensor& hidden_bias,
                    const at::Tensor& weight, const at::Tensor& bias, const PairBatch& batch) {
  ensure(z.dim() == 2 && z.size(0) == batch.num_nodes() && z.is_contiguous(), "a row a node");
  ensure(hidden_weight.dim() == 2 && hidden_weight.size(0) == z.size(1) && hidden_weight.is_contiguous(),
         "a row of weights a channel");
  const std::int64_t hidden = hidden_weight.size(1);
  ensure(hidden_bias.numel() == hidden && weight.numel() == hidden && bias.numel() == 1, "weights of a perceptron");
  const tensor_list tensors = {z, padded(hidden_weight, cpu::kTileColumns), padded(hidden_bias, cpu::kTileColumns),
                               padded(weight.flatten(), cpu::kTileColumns), bias};
  const bool keep_sums =
      at::GradMode::is_enabled() &&
      std::any_of(tensors.begin(), tensors.end(), [](const at::Tensor& t) { return t.requires_grad(); });
  return PairMlp::apply(tensors[0], tensors[1], tensors[2], tensors[3], tensors[4], &batch, keep_sums);
}

}  // namespace gir
