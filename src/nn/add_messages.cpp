#include "gir/nn/add_messages.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "gir/core/error.h"
#include "kernels.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Messages outlive the backward pass, so the autograd context stores their address.

void save_messages(AutogradContext* context, const Messages* messages) {
  context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
}

const Messages& saved_messages(AutogradContext* context) {
  return *reinterpret_cast<const Messages*>(context->saved_data["messages"].toInt());
}

struct AddMessages : torch::autograd::Function<AddMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const Messages* messages) {
    save_messages(context, messages);
    return on_device_of(q, [&](auto kernels) { return kernels.add_messages(*messages, base, q); });
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const at::Tensor d_out = gradients[0].contiguous();
    return {
        gradients[0],
        on_device_of(d_out, [&](auto kernels) { return kernels.add_messages_back(saved_messages(context), d_out); }),
        at::Tensor()};
  }
};

struct AddMaxMessages : torch::autograd::Function<AddMaxMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const Messages* messages, bool with_gradient) {
    save_messages(context, messages);
    const MaxMessages made =
        on_device_of(q, [&](auto kernels) { return kernels.add_max_messages(*messages, base, q, with_gradient); });
    context->save_for_backward({made.chosen});
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    if (!context->needs_input_grad(1)) return {gradients[0], at::Tensor(), at::Tensor(), at::Tensor()};
    const at::Tensor d_out = gradients[0].contiguous();
    const at::Tensor chosen = context->get_saved_variables()[0];
    return {
        gradients[0],
        on_device_of(
            d_out, [&](auto kernels) { return kernels.add_max_messages_back(saved_messages(context), chosen, d_out); }),
        at::Tensor(), at::Tensor()};
  }
};

struct AddAttentionMessages : torch::autograd::Function<AddAttentionMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const at::Tensor& sender_scores, const at::Tensor& receiver_scores,
                            const Messages* messages) {
    save_messages(context, messages);
    const AttentionResult made = on_device_of(q, [&](auto kernels) {
      return kernels.add_attention_messages(
          *messages, base, {.q = q, .sender_scores = sender_scores, .receiver_scores = receiver_scores});
    });
    context->save_for_backward({q, sender_scores, receiver_scores, made.largest, made.inverse_totals});
    return made.out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const AttentionTensors back = on_device_of(saved[0], [&](auto kernels) {
      return kernels.add_attention_messages_back(
          saved_messages(context), {.q = saved[0], .sender_scores = saved[1], .receiver_scores = saved[2]},
          {.out = {}, .largest = saved[3], .inverse_totals = saved[4]}, gradients[0].contiguous());
    });
    return {gradients[0], back.q, back.sender_scores, back.receiver_scores, at::Tensor()};
  }
};

void ensure_rows(const Messages& messages, std::initializer_list<at::Tensor> tensors) {
  for (const at::Tensor& tensor : tensors) {
    ensure(tensor.dim() == 2 && tensor.size(0) == messages.num_nodes(), "one row per node");
    ensure(tensor.is_contiguous() && tensor.scalar_type() == tensors.begin()->scalar_type(),
           "contiguous tensors of one type");
  }
}

}  // namespace

at::Tensor add_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages) {
  ensure(is_linear(messages.function()), "linear messages");
  ensure_rows(messages, {base, q});
  ensure(base.size(1) == q.size(1), "messages and base of equal width");
  return AddMessages::apply(base, q, &messages);
}

at::Tensor add_max_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages) {
  ensure(messages.function() == MessageFunction::kMax, "messages with function max");
  ensure_rows(messages, {base, q});
  ensure(base.size(1) == q.size(1), "messages and base of equal width");
  return AddMaxMessages::apply(base, q, &messages, at::GradMode::is_enabled() && q.requires_grad());
}

at::Tensor add_attention_messages(const at::Tensor& base, const at::Tensor& q, const at::Tensor& sender_scores,
                                  const at::Tensor& receiver_scores, const Messages& messages) {
  ensure(messages.function() == MessageFunction::kAttention, "messages with function attention");
  ensure_rows(messages, {base, q, sender_scores, receiver_scores});
  ensure(base.size(1) == q.size(1), "messages and base of equal width");
  ensure(sender_scores.sizes() == receiver_scores.sizes(), "one score per head for senders and receivers");
  ensure(sender_scores.size(1) > 0 && q.size(1) % sender_scores.size(1) == 0, "heads of equal width");
  return AddAttentionMessages::apply(base, q, sender_scores, receiver_scores, &messages);
}

}  // namespace gir
