#include "gir/nn/frontier_linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct FrontierLinear : torch::autograd::Function<FrontierLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& w_self,
                            const at::Tensor& w_messages, const at::Tensor& bias, const Messages* messages) {
    context->save_for_backward({h, w_self, w_messages, bias});
    // Messages outlive the backward pass, so their address is stored.
    context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
    return on_device_of(h, [&](auto kernels) {
      return kernels.frontier_linear(*messages, h, {.self = w_self, .messages = w_messages, .bias = bias});
    });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const auto& messages = *reinterpret_cast<const Messages*>(context->saved_data["messages"].toInt());
    const LayerGradients back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.frontier_linear_back(messages, saved[0],
                                          {.self = saved[1], .messages = saved[2], .bias = saved[3]},
                                          gradients[0].contiguous(), context->needs_input_grad(0));
    });
    return {back.h, back.weights.self, back.weights.messages, back.weights.bias, at::Tensor()};
  }
};

}  // namespace

at::Tensor frontier_linear(const at::Tensor& h, const at::Tensor& w_self, const at::Tensor& w_messages,
                           const at::Tensor& bias, const Messages& messages) {
  ensure(is_linear(messages.function()), "linear messages");
  ensure(h.dim() == 2 && h.size(0) == messages.num_nodes(), "one row per node");
  ensure(w_messages.dim() == 2 && w_messages.size(0) == h.size(1), "one row of weights per column of h");
  ensure(!w_self.defined() || w_self.sizes() == w_messages.sizes(), "weights of one shape");
  ensure(!bias.defined() || bias.numel() == w_messages.size(1), "one bias per column");
  for (const at::Tensor& tensor : {h, w_self, w_messages, bias}) {
    ensure(!tensor.defined() || (tensor.is_contiguous() && tensor.scalar_type() == h.scalar_type()),
           "contiguous tensors of one type");
  }
  // An autograd Function accepts no undefined tensors.
  const at::Tensor none = at::empty({0}, h.options());
  return FrontierLinear::apply(h, w_self.defined() ? w_self : none, w_messages, bias.defined() ? bias : none,
                               &messages);
}

}  // namespace gir
