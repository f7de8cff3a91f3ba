// Kernels<Cpu>: layers, messages and optimiser steps. Allocates results and unwraps tensors into raw pointers.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "../kernels.h"
#include "../message_rows.h"
#include "../tensors.h"
#include "activation.h"
#include "add_messages.h"
#include "anchor_messages.h"
#include "attention.h"
#include "frontier_linear.h"
#include "input_linear.h"
#include "linear.h"
#include "optimizer_step.h"

namespace gir::cpu {
namespace {

/// Uninitialised; undefined if the argument was omitted.
at::Tensor gradient_like(const at::Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? at::empty_like(tensor) : at::Tensor();
}

/// View with the shape of `other`; without data if the tensor is undefined, which means "do not compute".
template <typename Real>
MatrixView<Real> matrix_like(const at::Tensor& tensor, const at::Tensor& other) {
  return {write<Real>(tensor), other.size(0), other.size(1)};
}

template <typename Real>
LayerWeights<const Real> read_weights(const LayerTensors& weights) {
  return {.self = read<Real>(weights.self), .messages = read<Real>(weights.messages), .bias = read<Real>(weights.bias)};
}

template <typename Real>
LayerWeights<Real> write_weights(const LayerTensors& weights) {
  return {
      .self = write<Real>(weights.self), .messages = write<Real>(weights.messages), .bias = write<Real>(weights.bias)};
}

template <typename Real>
AttentionScores<const Real> read_scores(const AttentionTensors& given) {
  return {.senders = read<Real>(given.sender_scores),
          .receivers = read<Real>(given.receiver_scores),
          .heads = given.sender_scores.size(1)};
}

template <typename Real>
AnchorTerms<const Real> read_terms(const AnchorTensors& given) {
  return {read<Real>(given.p), read<Real>(given.q), read<Real>(given.scales), given.p.size(1)};
}

template <typename Real>
AnchorTerms<Real> write_terms(const AnchorTensors& gradients) {
  return {write<Real>(gradients.p), write<Real>(gradients.q), write<Real>(gradients.scales), gradients.p.size(1)};
}

StepArrays arrays_of(const StepTensors& given) {
  return {.gradient = read<float>(given.gradient),
          .mean = write<float>(given.mean),
          .square = write<float>(given.square),
          .value = write<float>(given.parameter)};
}

/// The tensor holds the doubles of a StepFactors in order.
const StepFactors& step_factors(const at::Tensor& numbers) {
  return *reinterpret_cast<const StepFactors*>(read<double>(numbers));
}

AnchorTensors gradients_like(const AnchorTensors& given) {
  return {at::empty_like(given.p), at::empty_like(given.q), at::empty_like(given.scales), gradient_like(given.weights)};
}

}  // namespace
}  // namespace gir::cpu

namespace gir {

using namespace cpu;

template <>
at::Tensor Kernels<Cpu>::relu_dropout(const at::Tensor& x, const Dropout& dropout) {
  at::Tensor out = at::empty_like(x);
  for_real_type(
      x, [&]<typename Real>(Real) { relu_dropout_forward(read<Real>(x), x.numel(), dropout, write<Real>(out)); });
  return out;
}

template <>
at::Tensor Kernels<Cpu>::relu_dropout_back(const at::Tensor& out, const at::Tensor& d_out, double scale) {
  at::Tensor d_x = at::empty_like(out);
  for_real_type(out, [&]<typename Real>(Real) {
    relu_dropout_backward(read<Real>(out), read<Real>(d_out), out.numel(), scale, write<Real>(d_x));
  });
  return d_x;
}

template <>
at::Tensor Kernels<Cpu>::linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  at::Tensor out = at::empty({x.size(0), w.size(1)}, x.options());
  for_real_type(x, [&]<typename Real>(Real) {
    linear_forward<Real>(matrix<const Real>(x), matrix<const Real>(w), read<Real>(bias), matrix<Real>(out));
  });
  return out;
}

template <>
LinearGradients Kernels<Cpu>::linear_back(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias,
                                          const at::Tensor& d_out, bool wants_x) {
  LinearGradients back{wants_x ? at::empty_like(x) : at::Tensor(), at::empty_like(w), gradient_like(bias)};
  for_real_type(x, [&]<typename Real>(Real) {
    linear_backward<Real>(matrix<const Real>(x), matrix<const Real>(w), matrix<const Real>(d_out),
                          matrix_like<Real>(back.x, x), write<Real>(back.w), write<Real>(back.bias));
  });
  return back;
}

template <>
at::Tensor Kernels<Cpu>::column_sums(const at::Tensor& matrix) {
  return matrix.sum(0);
}

template <>
at::Tensor Kernels<Cpu>::frontier_linear(const Messages& messages, const at::Tensor& h, const LayerTensors& weights) {
  at::Tensor out = at::empty({h.size(0), weights.messages.size(1)}, h.options());
  for_real_type(h, [&]<typename Real>(Real) {
    frontier_linear_forward<Real>(message_rows(messages), matrix<const Real>(h), read_weights<Real>(weights),
                                  matrix<Real>(out));
  });
  return out;
}

template <>
LayerGradients Kernels<Cpu>::frontier_linear_back(const Messages& messages, const at::Tensor& h,
                                                  const LayerTensors& weights, const at::Tensor& d_out, bool wants_h) {
  LayerGradients back{wants_h ? at::empty_like(h) : at::Tensor(),
                      {gradient_like(weights.self), gradient_like(weights.messages), gradient_like(weights.bias)}};
  for_real_type(h, [&]<typename Real>(Real) {
    frontier_linear_backward<Real>(message_rows(messages), matrix<const Real>(h), read_weights<Real>(weights),
                                   matrix<const Real>(d_out), matrix_like<Real>(back.h, h),
                                   write_weights<Real>(back.weights));
  });
  return back;
}

template <>
at::Tensor Kernels<Cpu>::add_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q) {
  const MessageRows rows = message_rows(messages);
  at::Tensor out = at::empty_like(base);
  for_real_type(q, [&]<typename Real>(Real) {
    cpu::add_messages<Real>(rows.receivers, rows.incoming, matrix<const Real>(base), matrix<const Real>(q),
                            matrix<Real>(out));
  });
  return out;
}

template <>
at::Tensor Kernels<Cpu>::add_messages_back(const Messages& messages, const at::Tensor& d_out) {
  // The gradient of a linear aggregation is the transposed aggregation of the gradients.
  const MessageRows rows = message_rows(messages);
  at::Tensor d_q = at::empty_like(d_out);
  for_real_type(d_out, [&]<typename Real>(Real) {
    cpu::add_messages<Real>(rows.senders, rows.outgoing, {}, matrix<const Real>(d_out), matrix<Real>(d_q));
  });
  return d_q;
}

template <>
MaxMessages Kernels<Cpu>::add_max_messages(const Messages& messages, const at::Tensor& base, const at::Tensor& q,
                                           bool keep_chosen) {
  const MaxMessages made{at::empty_like(base),
                         at::empty({keep_chosen ? q.size(0) : 0, q.size(1)}, q.options().dtype(at::kInt))};
  for_real_type(q, [&]<typename Real>(Real) {
    add_max_messages_forward<Real>(message_rows(messages), matrix<const Real>(base), matrix<const Real>(q),
                                   matrix<Real>(made.out), write<NodeId>(made.chosen));
  });
  return made;
}

template <>
at::Tensor Kernels<Cpu>::add_max_messages_back(const Messages& messages, const at::Tensor& chosen,
                                               const at::Tensor& d_out) {
  at::Tensor d_q = at::empty_like(d_out);
  for_real_type(d_out, [&]<typename Real>(Real) {
    add_max_messages_backward<Real>(message_rows(messages), read<NodeId>(chosen), matrix<const Real>(d_out),
                                    matrix<Real>(d_q));
  });
  return d_q;
}

template <>
AttentionResult Kernels<Cpu>::add_attention_messages(const Messages& messages, const at::Tensor& base,
                                                     const AttentionTensors& given) {
  const AttentionResult made{at::empty_like(base), at::empty_like(given.receiver_scores),
                             at::empty_like(given.receiver_scores)};
  for_real_type(given.q, [&]<typename Real>(Real) {
    attention_forward<Real>(message_rows(messages), matrix<const Real>(base), matrix<const Real>(given.q),
                            read_scores<Real>(given),
                            {.largest = write<Real>(made.largest), .inverse_totals = write<Real>(made.inverse_totals)},
                            matrix<Real>(made.out));
  });
  return made;
}

template <>
AttentionTensors Kernels<Cpu>::add_attention_messages_back(const Messages& messages, const AttentionTensors& given,
                                                           const AttentionResult& made, const at::Tensor& d_out) {
  const AttentionTensors back{at::empty_like(given.q), at::empty_like(given.sender_scores),
                              at::empty_like(given.receiver_scores)};
  for_real_type(given.q, [&]<typename Real>(Real) {
    attention_backward<Real>(message_rows(messages), matrix<const Real>(given.q), read_scores<Real>(given),
                             {.largest = read<Real>(made.largest), .inverse_totals = read<Real>(made.inverse_totals)},
                             matrix<const Real>(d_out), matrix<Real>(back.q),
                             {.senders = write<Real>(back.sender_scores),
                              .receivers = write<Real>(back.receiver_scores),
                              .heads = given.sender_scores.size(1)});
  });
  return back;
}

template <>
at::Tensor Kernels<Cpu>::input_linear(const NodeInput& input, const InputDropout* dropout, const at::Tensor& w,
                                      const at::Tensor& base) {
  at::Tensor out = at::empty({input.num_nodes(), w.size(1)}, w.options());
  for_real_type(w, [&]<typename Real>(Real) {
    input_linear_forward<Real>({input, dropout}, matrix<const Real>(w),
                               {.values = read<Real>(base), .by_row = base.dim() == 2}, matrix<Real>(out));
  });
  return out;
}

template <>
at::Tensor Kernels<Cpu>::input_linear_back(const NodeInput& input, const InputDropout* dropout,
                                           const at::Tensor& d_out) {
  at::Tensor d_w = at::empty({input.width(), d_out.size(1)}, d_out.options());
  for_real_type(d_out, [&]<typename Real>(Real) {
    input_linear_backward<Real>({input, dropout}, matrix<const Real>(d_out), matrix<Real>(d_w));
  });
  return d_w;
}

template <>
at::Tensor Kernels<Cpu>::mean_anchor_messages(const AnchorMessages& messages, const AnchorTensors& given) {
  at::Tensor out = at::empty_like(given.q);
  for_real_type(given.p, [&]<typename Real>(Real) {
    mean_messages_forward<Real>(messages, read_terms<Real>(given), write<Real>(out));
  });
  return out;
}

template <>
AnchorTensors Kernels<Cpu>::mean_anchor_messages_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                      const at::Tensor& d_out) {
  const AnchorTensors back = gradients_like(given);
  for_real_type(d_out, [&]<typename Real>(Real) {
    mean_messages_backward<Real>(messages, read_terms<Real>(given), read<Real>(d_out), write_terms<Real>(back));
  });
  return back;
}

template <>
at::Tensor Kernels<Cpu>::anchor_positions(const AnchorMessages& messages, const AnchorTensors& given) {
  at::Tensor out = at::empty({messages.num_nodes(), messages.num_sets()}, given.q.options());
  for_real_type(given.p, [&]<typename Real>(Real) {
    positions_forward<Real>(messages, read_terms<Real>(given), read<Real>(given.weights), write<Real>(out));
  });
  return out;
}

template <>
AnchorTensors Kernels<Cpu>::anchor_positions_back(const AnchorMessages& messages, const AnchorTensors& given,
                                                  const at::Tensor& d_out) {
  const AnchorTensors back = gradients_like(given);
  for_real_type(d_out, [&]<typename Real>(Real) {
    positions_backward<Real>(messages, read_terms<Real>(given), read<Real>(given.weights), read<Real>(d_out),
                             write_terms<Real>(back), write<Real>(back.weights));
  });
  return back;
}

template <>
void Kernels<Cpu>::adam_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  for (const StepTensors& each : tensors) {
    cpu::adam_step(each.parameter.numel(), step_factors(factors), arrays_of(each));
  }
}

template <>
void Kernels<Cpu>::lamb_step(std::span<const StepTensors> tensors, const at::Tensor& factors) {
  for (const StepTensors& each : tensors) {
    const at::Tensor update = at::empty_like(each.parameter);
    cpu::lamb_step(each.parameter.numel(), step_factors(factors), arrays_of(each), write<float>(update));
  }
}

}  // namespace gir
