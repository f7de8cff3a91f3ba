// Kernels<Cuda>: layers, messages and optimiser steps.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "../kernels.h"
#include "activation.h"
#include "gather.h"
#include "messages.h"
#include "optimizer.h"
#include "recording.h"
#include "tensors.h"

namespace gir::cuda {
namespace {

/// Whether the nodes are so few that copying their rows and multiplying only these is faster than multiplying all rows.
bool are_few(const Array<NodeId>& nodes, const at::Tensor& h) { return 2 * nodes.size() < h.size(0); }

/// Whether the layer has fewer outputs than inputs: then it is cheaper to multiply first and to gather then.
bool is_narrowing(const LayerTensors& weights) { return weights.messages.size(0) > weights.messages.size(1); }

at::Tensor rows_of(const at::Tensor& all, const Array<NodeId>& nodes) {
  at::Tensor rows = at::empty({nodes.size(), all.size(1)}, all.options());
  for_real_type(all, [&]<typename Real>(Real) {
    take_rows(on_device(nodes), nodes.size(), read<Real>(all), all.size(1), write<Real>(rows), current_stream());
  });
  return rows;
}

/// Adds a b to the rows of some nodes.
void add_product_at(at::Tensor& out, const Array<NodeId>& nodes, const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor rows = product(a, b);
  for_real_type(out, [&]<typename Real>(Real) {
    add_rows_at(on_device(nodes), nodes.size(), read<Real>(rows), out.size(1), write<Real>(out), current_stream());
  });
}

template <typename Real>
AttentionTerms<const Real> read_terms(const AttentionTensors& given) {
  return {.q = read<Real>(given.q),
          .senders = read<Real>(given.sender_scores),
          .receivers = read<Real>(given.receiver_scores),
          .width = given.q.size(1),
          .heads = given.sender_scores.size(1)};
}

const StepFactors* step_factors(const at::Tensor& numbers) {
  return reinterpret_cast<const StepFactors*>(read<double>(numbers));
}

/// Calls `body(list)` for lists of at most kMaxStepArrays tensors that cover all tensors.
template <typename Body>
void for_each_list(std::span<const StepTensors> tensors, const Body& body) {
  for (std::size_t first = 0; first < tensors.size(); first += kMaxStepArrays) {
    StepList list{};
    for (const StepTensors& each :
         tensors.subspan(first, std::min<std::size_t>(kMaxStepArrays, tensors.size() - first))) {
      list.arrays[list.count++] = {.gradient = read<float>(each.gradient),
                                   .mean = write<float>(each.mean),
                                   .square = write<float>(each.square),
                                   .value = write<float>(each.parameter),
                                   .size = each.parameter.numel()};
    }
    body(list);
  }
}

}  // namespace
}  // namespace gir::cuda

namespace gir {

using namespace cuda;

template <>
at::Tensor Kernels<Cuda>::relu_dropout(const at::Tensor& x, const Dropout& dropout) {
  at::Tensor out = at::empty_like(x);
  for_real_type(x, [&]<typename Real>(Real) {
    cuda::relu_dropout(read<Real>(x), x.numel(), epoch_dropout(dropout), write<Real>(out), current_stream());
  });
  return out;
}

template <>
at::Tensor Kernels<Cuda>::relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale) {
  at::Tensor d_x = at::empty_like(out);
  for_real_type(out, [&]<typename Real>(Real) {
    cuda::relu_dropout_back(read<Real>(out), read<Real>(d_out), out.numel(), scale, write<Real>(d_x), current_stream());
  });
  return d_x;
}

template <>
at::Tensor Kernels<Cuda>::linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  return affine(x, w, bias, w.size(1));
}

template <>
LinearGradients Kernels<Cuda>::linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias,
                                           const at::Tensor& d_out, bool wants_x) {
  return {wants_x ? product(d_out, w.t()) : at::Tensor(), product(x.t(), d_out),
          has(bias) ? cuda::column_sums(d_out) : at::Tensor()};
}

template <>
at::Tensor Kernels<Cuda>::column_sums(const at::Tensor& matrix) {
  return cuda::column_sums(matrix);
}

template <>
at::Tensor Kernels<Cuda>::frontier_linear(const Messages& messages, const at::Tensor& h, const LayerTensors& weights) {
  const at::Tensor& w = weights.messages;
  const Array<NodeId>& receivers = messages.edges().receivers;
  if (is_narrowing(weights)) {
    const std::int64_t width = w.size(1);
    if (!has(weights.self)) {
      return gathered(incoming_by_node(messages), product(h, w), affine(h, weights.self, weights.bias, width));
    }
    // One product with [W_self W_messages]: its left half is the base, its right half is gathered.
    const at::Tensor bias = has(weights.bias) ? at::cat({weights.bias, at::zeros_like(weights.bias)}) : at::Tensor();
    const at::Tensor both = affine(h, at::cat({weights.self, w}, 1), bias, 2 * width);
    return gathered(incoming_by_node(messages), both.narrow(1, width, width), both.narrow(1, 0, width));
  }
  if (are_few(receivers, h)) {
    at::Tensor out = affine(h, weights.self, weights.bias, w.size(1));
    add_product_at(out, receivers, gathered(incoming(messages), h), w);
    return out;
  }
  if (!has(weights.self)) return affine(gathered(incoming_by_node(messages), h), w, weights.bias, w.size(1));
  // One product of [h messages(h)] with the stacked weights is faster than two products of which the second
  // accumulates.
  return affine(beside_gathered(incoming_by_node(messages), h), at::cat({weights.self, w}, 0), weights.bias, w.size(1));
}

/// With g_u = Σ of the gradients d_out of u's receivers: d_h_u += g_u Wᵀ, d_W = Σ h_uᵀ g_u.
template <>
LayerGradients Kernels<Cuda>::frontier_linear_back(const Messages& messages, const at::Tensor& h,
                                                   const LayerTensors& weights, const at::Tensor& d_out, bool wants_h) {
  const Array<NodeId>& senders = messages.edges().sending_nodes;
  const at::Tensor& w = weights.messages;
  LayerGradients back;
  if (has(weights.bias)) back.weights.bias = cuda::column_sums(d_out);
  const bool few = !is_narrowing(weights) && are_few(senders, h);
  if (has(weights.self) && !few) {
    const at::Tensor both = beside_gathered(outgoing_by_node(messages), d_out);
    const at::Tensor d_weights = product(h.t(), both);
    back.weights.self = d_weights.narrow(1, 0, w.size(1)).contiguous();
    back.weights.messages = d_weights.narrow(1, w.size(1), w.size(1)).contiguous();
    if (wants_h) back.h = product(both, at::cat({weights.self, w}, 1).t());
    return back;
  }
  if (!few) {
    const at::Tensor g = gathered(outgoing_by_node(messages), d_out);
    back.weights.messages = product(h.t(), g);
    if (wants_h) back.h = product(g, w.t());
    return back;
  }
  const at::Tensor g = gathered(outgoing(messages), d_out);
  back.weights.messages = product(rows_of(h, senders).t(), g);
  if (has(weights.self)) back.weights.self = product(h.t(), d_out);
  if (!wants_h) return back;
  back.h = has(weights.self) ? product(d_out, weights.self.t()) : at::zeros_like(h);
  add_product_at(back.h, senders, g, w.t());
  return back;
}

template <>
at::Tensor Kernels<Cuda>::add_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q) {
  return gathered(incoming_by_node(messages), q, base);
}

template <>
at::Tensor Kernels<Cuda>::add_messages_back(const Messages& messages, const at::Tensor& d_out) {
  const Array<NodeId>& senders = messages.edges().sending_nodes;
  if (!are_few(senders, d_out)) return gathered(outgoing_by_node(messages), d_out);
  at::Tensor d_q = at::zeros_like(d_out);
  add_gathered(outgoing(messages), d_out, on_device(senders), d_q);
  return d_q;
}

template <>
MaxMessages Kernels<Cuda>::add_max_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q,
                                            bool keep_chosen) {
  const MaxMessages made{base.clone(),
                         at::empty({keep_chosen ? q.size(0) : 0, q.size(1)}, q.options().dtype(at::kInt))};
  for_real_type(q, [&]<typename Real>(Real) {
    add_largest(rows_on_device(messages), read<Real>(q), q.size(1), write<Real>(made.out), write<NodeId>(made.chosen),
                current_stream());
  });
  return made;
}

template <>
at::Tensor Kernels<Cuda>::add_max_messages_back(const Messages& messages, const at::Tensor& chosen,
                                                const at::Tensor& d_out) {
  at::Tensor d_q = at::zeros_like(d_out);
  for_real_type(d_out, [&]<typename Real>(Real) {
    add_largest_back(rows_on_device(messages), read<NodeId>(chosen), read<Real>(d_out), d_out.size(1), write<Real>(d_q),
                     current_stream());
  });
  return d_q;
}

template <>
AttentionResult Kernels<Cuda>::add_attention_messages(const Messages& messages, const at::Tensor& base,
                                                      const AttentionTensors& given) {
  const AttentionResult made{base.clone(), at::empty_like(given.receiver_scores),
                             at::empty_like(given.receiver_scores)};
  for_real_type(given.q, [&]<typename Real>(Real) {
    attend<Real>(rows_on_device(messages), read_terms<Real>(given),
                 {write<Real>(made.largest), write<Real>(made.inverse_totals)}, write<Real>(made.out),
                 current_stream());
  });
  return made;
}

template <>
AttentionTensors Kernels<Cuda>::add_attention_messages_back(const Messages& messages, const AttentionTensors& given,
                                                            const AttentionResult& made, const at::Tensor& d_out) {
  const AttentionTensors back{at::zeros_like(given.q), at::zeros_like(given.sender_scores),
                              at::zeros_like(given.receiver_scores)};
  const at::Tensor means = at::empty(given.receiver_scores.sizes(), given.q.options().dtype(at::kDouble));
  for_real_type(given.q, [&]<typename Real>(Real) {
    attend_back<Real>(rows_on_device(messages), read_terms<Real>(given),
                      {read<Real>(made.largest), read<Real>(made.inverse_totals)}, read<Real>(d_out),
                      write<double>(means),
                      {.q = write<Real>(back.q),
                       .senders = write<Real>(back.sender_scores),
                       .receivers = write<Real>(back.receiver_scores),
                       .width = given.q.size(1),
                       .heads = given.sender_scores.size(1)},
                      current_stream());
  });
  return back;
}

template <>
void Kernels<Cuda>::adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  for_each_list(tensors, [&](const StepList& list) { cuda::adam_step(list, step_factors(factors), current_stream()); });
}

template <>
void Kernels<Cuda>::lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  for_each_list(tensors, [&](const StepList& list) {
    std::int64_t values = 0;
    for (int k = 0; k < list.count; ++k) values += list.arrays[k].size;
    const at::TensorOptions options = tensors.front().parameter.options().requires_grad(false);
    const at::Tensor updates = at::empty({values}, options);
    const at::Tensor sums = at::empty({list.count, kLambBlocks, 2}, options.dtype(at::kDouble));
    cuda::lamb_step(list, step_factors(factors), {write<float>(updates), write<double>(sums)}, current_stream());
  });
}

}  // namespace gir
