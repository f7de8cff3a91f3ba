#include "gir/nn/frontier_linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/frontier_linear.h"
#include "gir/core/error.h"
#include "message_rows.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <typename Real>
cpu::LayerWeights<const Real> layer_weights(const at::Tensor& self, const at::Tensor& messages,
                                            const at::Tensor& bias) {
  return {.self = read<Real>(self), .messages = read<Real>(messages), .bias = read<Real>(bias)};
}

struct FrontierLinear : torch::autograd::Function<FrontierLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& w_self,
                            const at::Tensor& w_messages, const at::Tensor& bias, const Messages* messages) {
    context->save_for_backward({h, w_self, w_messages, bias});
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    at::Tensor out = at::empty({h.size(0), w_messages.size(1)}, h.options());
    for_real_type(h, [&]<typename Real>(Real) {
      cpu::frontier_linear_forward<Real>(message_rows(*messages), matrix<const Real>(h),
                                         layer_weights<Real>(w_self, w_messages, bias), matrix<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& h = saved[0];
    const auto like = [](const at::Tensor& tensor) {
      return tensor.numel() > 0 ? at::empty_like(tensor) : at::Tensor();
    };
    const auto& messages = *reinterpret_cast<const Messages*>(context->saved_data["messages"].toInt());
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor d_h = context->needs_input_grad(0) ? at::empty_like(h) : at::Tensor();
    const tensor_list d_weights = {like(saved[1]), like(saved[2]), like(saved[3])};
    for_real_type(h, [&]<typename Real>(Real) {
      cpu::frontier_linear_backward<Real>(message_rows(messages), matrix<const Real>(h),
                                          layer_weights<Real>(saved[1], saved[2], saved[3]), matrix<const Real>(d_out),
                                          {write<Real>(d_h), h.size(0), h.size(1)},
                                          {.self = write<Real>(d_weights[0]),
                                           .messages = write<Real>(d_weights[1]),
                                           .bias = write<Real>(d_weights[2])});
    });
    return {d_h, d_weights[0], d_weights[1], d_weights[2], at::Tensor()};
  }
};

}  // namespace

at::Tensor frontier_linear(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                           const at::Tensor& bias, const Messages& messages) {
  ensure(is_linear(messages.function()), "messages that are sums");
  ensure(h.dim() == 2 && h.size(0) == messages.num_nodes(), "a row a node");
  ensure(w_messages.dim() == 2 && w_messages.size(0) == h.size(1), "a row of weights a column of h");
  ensure(!w_self.defined() || w_self.sizes() == w_messages.sizes(), "weights of one shape");
  ensure(!bias.defined() || bias.numel() == w_messages.size(1), "a bias a column");
  for (const at::Tensor& tensor : {h, w_self, w_messages, bias}) {
    ensure(!tensor.defined() || (tensor.is_contiguous() && tensor.scalar_type() == h.scalar_type()),
           "contiguous tensors of one type");
  }
  // Functions with gradients take no undefined tensors.
  const at::Tensor none = at::empty({0}, h.options());
  return FrontierLinear::apply(h, w_self.defined() ? w_self : none, w_messages, bias.defined() ? bias : none,
                               &messages);
}

}  // namespace gir
