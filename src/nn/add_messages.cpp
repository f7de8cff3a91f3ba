#include "gir/nn/add_messages.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "cpu/add_messages.h"
#include "cpu/attention.h"
#include "gir/core/error.h"
#include "message_rows.h"
#include "tensors.h"

namespace gir {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void keep(AutogradContext* context, const Messages* messages) {
  context->saved_data["messages"] = reinterpret_cast<std::int64_t>(messages);
}

cpu::MessageRows kept_rows(AutogradContext* context) {
  return message_rows(*reinterpret_cast<const Messages*>(context->saved_data["messages"].toInt()));
}

struct AddMessages : torch::autograd::Function<AddMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const Messages* messages) {
    keep(context, messages);
    const cpu::MessageRows rows = message_rows(*messages);
    at::Tensor out = at::empty_like(base);
    for_real_type(q, [&]<typename Real>(Real) {
      cpu::add_messages<Real>(rows.receivers, rows.incoming, matrix<const Real>(base), matrix<const Real>(q),
                              matrix<Real>(out));
    });
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const cpu::MessageRows rows = kept_rows(context);
    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty_like(d_out);
    for_real_type(d_out, [&]<typename Real>(Real) {
      cpu::add_messages<Real>(rows.senders, rows.outgoing, {}, matrix<const Real>(d_out), matrix<Real>(d_q));
    });
    return {gradients[0], d_q, at::Tensor()};
  }
};

struct AddMaxMessages : torch::autograd::Function<AddMaxMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const Messages* messages, bool with_gradient) {
    keep(context, messages);
    at::Tensor out = at::empty_like(base);
    const at::Tensor chosen = at::empty({with_gradient ? q.size(0) : 0, q.size(1)}, q.options().dtype(at::kInt));
    for_real_type(q, [&]<typename Real>(Real) {
      cpu::add_max_messages_forward<Real>(message_rows(*messages), matrix<const Real>(base), matrix<const Real>(q),
                                          matrix<Real>(out), write<NodeId>(chosen));
    });
    context->save_for_backward({chosen});
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    if (!context->needs_input_grad(1)) return {gradients[0], at::Tensor(), at::Tensor(), at::Tensor()};
    const at::Tensor chosen = context->get_saved_variables()[0];
    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty_like(d_out);
    for_real_type(d_out, [&]<typename Real>(Real) {
      cpu::add_max_messages_backward<Real>(kept_rows(context), read<NodeId>(chosen), matrix<const Real>(d_out),
                                           matrix<Real>(d_q));
    });
    return {gradients[0], d_q, at::Tensor(), at::Tensor()};
  }
};

template <typename Real>
cpu::AttentionScores<const Real> attention_scores(const at::Tensor& senders, const at::Tensor& receivers) {
  return {.senders = read<Real>(senders), .receivers = read<Real>(receivers), .heads = senders.size(1)};
}

struct AddAttentionMessages : torch::autograd::Function<AddAttentionMessages> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& base, const at::Tensor& q,
                            const at::Tensor& sender_scores, const at::Tensor& receiver_scores,
                            const Messages* messages) {
    keep(context, messages);
    at::Tensor out = at::empty_like(base);
    const at::Tensor largest = at::empty_like(receiver_scores);
    const at::Tensor inverse_totals = at::empty_like(receiver_scores);
    for_real_type(q, [&]<typename Real>(Real) {
      cpu::attention_forward<Real>(message_rows(*messages), matrix<const Real>(base), matrix<const Real>(q),
                                   attention_scores<Real>(sender_scores, receiver_scores),
                                   {.largest = write<Real>(largest), .inverse_totals = write<Real>(inverse_totals)},
                                   matrix<Real>(out));
    });
    context->save_for_backward({q, sender_scores, receiver_scores, largest, inverse_totals});
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& q = saved[0];
    const at::Tensor d_out = gradients[0].contiguous();
    at::Tensor d_q = at::empty_like(q);
    const at::Tensor d_senders = at::empty_like(saved[1]);
    const at::Tensor d_receivers = at::empty_like(saved[2]);
    for_real_type(q, [&]<typename Real>(Real) {
      cpu::attention_backward<Real>(
          kept_rows(context), matrix<const Real>(q), attention_scores<Real>(saved[1], saved[2]),
          {.largest = read<Real>(saved[3]), .inverse_totals = read<Real>(saved[4])}, matrix<const Real>(d_out),
          matrix<Real>(d_q),
          {.senders = write<Real>(d_senders), .receivers = write<Real>(d_receivers), .heads = saved[1].size(1)});
    });
    return {gradients[0], d_q, d_senders, d_receivers, at::Tensor()};
  }
};

void ensure_rows(const Messages& messages, std::initializer_list<at::Tensor> tensors) {
  for (const at::Tensor& tensor : tensors) {
    ensure(tensor.dim() == 2 && tensor.size(0) == messages.num_nodes(), "a row a node");
    ensure(tensor.is_contiguous() && tensor.scalar_type() == tensors.begin()->scalar_type(),
           "contiguous tensors of one type");
  }
}

}  // namespace

at::Tensor add_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages) {
  ensure(is_linear(messages.function()), "messages that are sums");
  ensure_rows(messages, {base, q});
  ensure(base.size(1) == q.size(1), "messages as wide as what they are added to");
  return AddMessages::apply(base, q, &messages);
}

at::Tensor add_max_messages(const at::Tensor& base, const at::Tensor& q, const Messages& messages) {
  ensure(messages.function() == MessageFunction::kMax, "messages of which the largest counts");
  ensure_rows(messages, {base, q});
  ensure(base.size(1) == q.size(1), "messages as wide as what they are added to");
  return AddMaxMessages::apply(base, q, &messages, at::GradMode::is_enabled() && q.requires_grad());
}

at::Tensor add_attention_messages(const at::Tensor& base, const at::Tensor& q, const at::Tensor& sender_scores,
                                  const at::Tensor& receiver_scores, const Messages& messages) {
  ensure(messages.function() == MessageFunction::kAttention, "messages weighed by attention");
  ensure_rows(messages, {base, q, sender_scores, receiver_scores});
  ensure(base.size(1) == q.size(1), "messages as wide as what they are added to");
  ensure(sender_scores.sizes() == receiver_scores.sizes(), "a score a head for senders and receivers");
  ensure(sender_scores.size(1) > 0 && q.size(1) % sender_scores.size(1) == 0, "heads of equal width");
  return AddAttentionMessages::apply(base, q, sender_scores, receiver_scores, &messages);
}

}  // namespace gir
